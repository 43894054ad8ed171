import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { viewOf } from './challenge-view.ts'
import { findChallenge } from './find-challenge.ts'

export default handle(contract.getProjectControlChallenge, async ({ params, records, now }) => {
  const { record } = await findChallenge(records, params.nonce)
  return { data: viewOf(record, now) }
})
