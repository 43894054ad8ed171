import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { printedContract } from './printed-contract.ts'

export default handle(contract.getBesideOpenApi, async ({ headers }) => ({
  cachedText: await printedContract().extension.formFor(headers),
}))
