import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { eventKinds, messageSchema } from './event-kinds.ts'

export default handle(contract.listEventKinds, async () => ({
  data: { kinds: eventKinds, message: messageSchema },
}))
