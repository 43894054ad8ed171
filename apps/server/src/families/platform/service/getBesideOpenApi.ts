import { besideDocument, contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'

let printed: string | null = null

export default handle(contract.getBesideOpenApi, async () => {
  printed ??= JSON.stringify(besideDocument())
  return { text: printed }
})
