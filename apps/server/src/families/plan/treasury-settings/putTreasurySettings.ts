import { contract, type FieldErrors } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { requestedNow } from '../../../market/treasury/waiting-change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type SettingsNow, settingsView } from './current-settings.ts'
import { loosened, stricterOf } from './loosening.ts'
import { reviewedSettings } from './reviewed-settings.ts'
import { type SettingsStep, settingsReply, writtenSettings } from './written-settings.ts'

type Request = HandlerRequest<typeof contract.putTreasurySettings>
type Body = Request['body']

export default handle(contract.putTreasurySettings, async (request): Promise<Outcome> => {
  const { records, services, precondition } = request
  const now = await reviewedSettings(records, services, precondition)
  request.requireRecentAuthentication()
  const step = await stepOf(request, now)
  if (step === null) return { data: settingsView(now), etag: now.resourceVersion }
  return settingsReply(writtenSettings(records, now.current, step))
})

/** Change of a request; null if it is already in force or pending. */
async function stepOf(request: Request, now: SettingsNow): Promise<SettingsStep | null> {
  const { actor, fail } = request
  const { reason, settings: wanted }: Body = request.body
  await requireSound(request.records, wanted)
  const loosens = loosened(now.settings, wanted)
  const isSame = (other: contract.TreasurySettings | undefined) =>
    canonicalize(other ?? null) === canonicalize(wanted)
  if (loosens.length === 0) {
    const what = now.pending === null ? 'changed' : 'loosening_withdrawn'
    if (now.pending === null && isSame(now.settings)) return null
    return { settings: wanted, pending: null, what, about: now.pending, reason }
  }
  if (actor.role !== 'OWNER') {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: {
        [`settings.${loosens[0]}`]: [`requires an OWNER to reduce protection, got ${actor.role}`],
      },
    })
  }
  if (isSame(now.pending?.settings)) return null
  const pending = { settings: wanted, loosens, ...(await requestedNow(request.records)) }
  const settings = stricterOf(now.settings, wanted)
  return { settings, pending, what: 'loosening_requested', about: pending, reason }
}

/** @throws Failure 422 for duplicate metric limits, or for assumptions of another organization */
async function requireSound(
  records: TenantRecords,
  { requiredLimits, primaryAssumptions }: contract.TreasurySettings,
): Promise<void> {
  const metrics = requiredLimits.map(({ metric }) => metric)
  const twice = metrics.findIndex((metric, index) => metrics.indexOf(metric) < index)
  const isUnknown =
    primaryAssumptions !== null &&
    (await records.current('TreasuryAssumptions', primaryAssumptions)) === null
  const fieldErrors: FieldErrors = {
    ...(twice < 0
      ? {}
      : {
          [`settings.requiredLimits.${twice}.metric`]: [
            `must be unique, got ${metrics[twice]} twice`,
          ],
        }),
    ...(isUnknown
      ? {
          'settings.primaryAssumptions': [
            `must be assumptions of this organization, got ${primaryAssumptions}`,
          ],
        }
      : {}),
  }
  if (Object.keys(fieldErrors).length === 0) return
  throw new Failure('LIQUIDITY_TREASURY_SETTINGS_INVALID', { fieldErrors })
}
