import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { readStudyVerdict } from './study-verdict.ts'

export default handle(contract.readStudyVerdict, async (request): Promise<Outcome> => {
  const { params, records, fail } = request
  const study = await records.current<contract.SimulationStudy>('SimulationStudy', params.id)
  if (!study) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  return { data: readStudyVerdict(study.record) satisfies contract.StudyVerdict }
})
