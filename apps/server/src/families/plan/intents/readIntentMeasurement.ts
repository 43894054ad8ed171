import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { lastMeasurement } from './measurement/intent-sweep.ts'
import { intents } from './records.ts'

export default handle(
  contract.readIntentMeasurement,
  async ({ params: { id }, records, fail }): Promise<Outcome> => {
    if (!(await intents.current(records, id))) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
    const last = await lastMeasurement(records, id)
    return {
      data: {
        intentId: id,
        eventId: last?.eventId ?? null,
        measurement: last?.measurement ?? null,
      },
    }
  },
)
