import { contract } from '@liquidity-os/contract'
import { computeStudy } from './compute-study.ts'
import { capitalRequirements } from './records.ts'

export default capitalRequirements.create(
  contract.createCapitalRequirements,
  ({ body: { payload: request }, records }) => computeStudy(records, request),
)
