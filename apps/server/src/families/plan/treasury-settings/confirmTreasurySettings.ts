import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedSettings } from './reviewed-settings.ts'
import { settingsReply, writtenSettings } from './written-settings.ts'

export default handle(contract.confirmTreasurySettings, async (request): Promise<Outcome> => {
  const { body, records, services, precondition, actor, fail } = request
  const { current, pending } = await reviewedSettings(records, services, precondition)
  request.requireRecentAuthentication()
  if (actor.role !== 'OWNER') {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      message: `Only an OWNER can confirm a change of the treasury settings, not a ${actor.role}.`,
    })
  }
  if (pending === null) throw fail('LIQUIDITY_TREASURY_SETTINGS_NOTHING_PENDING')
  if (pending.requestedBy.id === actor.id) {
    throw fail('LIQUIDITY_TREASURY_SETTINGS_SECOND_OWNER_REQUIRED')
  }
  const { settings } = pending
  const step = { settings, pending: null, what: 'loosened', about: pending } as const
  return settingsReply(writtenSettings(records, current, { ...step, reason: body.reason }))
})
