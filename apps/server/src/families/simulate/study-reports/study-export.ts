import { type contract, testNetworksIn } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Export } from '../../exported-file.ts'
import { reportTask } from './read-task.ts'
import { reportInThread } from './report-in-thread.ts'
import { studyWorkbook } from './study-workbook.ts'

/**
 * The current version of a study as a file, with the figures of its report.
 *
 * @throws Failure 404, or 409 for a study without a result
 */
export async function studyExport(
  records: TenantRecords,
  { reporting }: Pick<Services, 'reporting'>,
  id: string,
): Promise<Export> {
  const current = await records.current<contract.SimulationStudy>('SimulationStudy', id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { record } = current
  if (record.status === 'FAILED') throw new Failure('LIQUIDITY_STUDY_FAILED')
  if (!record.payload.result) throw new Failure('LIQUIDITY_STUDY_NOT_TERMINAL')
  const { report } = await reportInThread(reporting, await reportTask(records, record, []))
  const { pair, blocks } = { pair: report.pair, blocks: report.reproduction.blocks }
  return {
    name: `study-${fileWords(report.name) || id}`,
    chainIds: testNetworksIn(JSON.stringify([pair, blocks])),
    workbook: studyWorkbook(report),
  }
}

/** A name as a part of a file name. */
const fileWords = (name: string) =>
  name
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '')
