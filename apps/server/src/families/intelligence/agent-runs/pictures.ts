import type { PictureFamily, PictureRequest } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import type { DrawnRun } from './pictures/drawn.ts'
import { agentRuns, type Draft, type Run } from './records.ts'
import { openJson } from './sealed-json.ts'

export const pictures: PictureFamily = {
  operationId: 'getAgentRun',
  read: readRun,
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}

/** A run, and how many decimals its quote has by its protocol: null before there is one. */
async function readRun({ id, records, services }: PictureRequest): Promise<DrawnRun> {
  const current = await agentRuns.current(records, id)
  if (!current) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const run: Run = current.record.payload
  const sealed = run.plan
    ? await services.artifacts.find(records.organizationId, run.plan.draftArtifact)
    : null
  const protocol = sealed ? openJson<Draft>(sealed) : null
  return { run, quoteDecimals: protocol?.baseline.pair.quoteDecimals ?? null }
}
