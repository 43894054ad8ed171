import { contract, openApiDocument } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'

let printed: string | null = null

export default handle(contract.getOperatingSystemOpenApi, async () => {
  printed ??= JSON.stringify(openApiDocument())
  return { text: printed }
})
