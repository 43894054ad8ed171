import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { handleAlert } from './handle-alert.ts'

export default handle(contract.muteAlert, (request) => {
  const { body, now, fail } = request
  const until = body.until === null ? null : Date.parse(body.until)
  const last = now + limits.alertMutedMilliseconds
  if (until !== null && (until <= now || until > last)) {
    const expected = `must be in the future and at most ${new Date(last).toISOString()}, got ${body.until}`
    throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors: { until: [expected] } })
  }
  const mutedUntil = until === null ? null : new Date(until).toISOString()
  return handleAlert(request, () => ({
    payload: { mutedUntil },
    event: mutedUntil === null ? 'alert.unmuted' : 'alert.muted',
    eventPayload: { mutedUntil },
  }))
})
