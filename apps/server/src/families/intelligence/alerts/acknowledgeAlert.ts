import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { handleAlert } from './handle-alert.ts'

export default handle(contract.acknowledgeAlert, (request) =>
  handleAlert(request, ({ severity }) => {
    const { kind, id } = request.records.actor
    const at = new Date(request.now).toISOString()
    return {
      payload: { acknowledged: { at, by: { kind, id }, severity } },
      event: 'alert.acknowledged',
    }
  }),
)
