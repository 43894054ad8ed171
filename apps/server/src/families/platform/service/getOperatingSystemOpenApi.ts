import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { printedContract } from './printed-contract.ts'

export default handle(contract.getOperatingSystemOpenApi, async ({ headers }) => ({
  cachedText: await printedContract().document.formFor(headers),
}))
