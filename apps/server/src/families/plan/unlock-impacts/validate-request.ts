import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { daySeconds } from '../../../units.ts'

type Input = contract.UnlockImpactInput
type Event = contract.UnlockEvent
type Fault = readonly [member: string, message: string]
type RefusalCode = ConstructorParameters<typeof Failure>[0]

const maxDays = 730

/** @throws Failure where something is wrong */
export function refuse(
  fieldErrors: FieldErrors,
  code: RefusalCode = 'LIQUIDITY_UNLOCK_SCHEDULE_INVALID',
): void {
  if (Object.keys(fieldErrors).length > 0) throw new Failure(code, { fieldErrors })
}

/** Window in unix seconds, half-open by time, and its days of 24 hours; the last can be shorter. */
export function windowOf({ window }: Input): {
  readonly from: number
  readonly to: number
  readonly days: number
} {
  // Unlocks are at whole seconds, so this includes `from` and excludes `to`.
  const seconds = (text: string) => Math.ceil(Date.parse(text) / 1000)
  const [from, to] = [seconds(window.from), seconds(window.to)]
  return { from, to, days: Math.ceil((to - from) / daySeconds) }
}

/** Validates the request before any read. @throws Failure 422 */
export function requireForm(request: Input): void {
  const faults: FieldErrors = {}
  const { days } = windowOf(request)
  if (days < 1 || days > maxDays) {
    faults['payload.window.to'] = [
      `must be 1 to ${maxDays} days after from, got ${request.window.to}`,
    ]
  }
  if (request.token === request.quote) {
    faults['payload.quote'] = ['must differ from the token']
  }
  for (const [itemIndex, { source, behaviour }] of request.schedules.entries()) {
    const at = `payload.schedules.${itemIndex}`
    if (source.kind === 'DECLARED') {
      for (const [index, event] of source.events.entries()) {
        const fault = eventFault(event)
        if (fault) faults[`${at}.source.events.${index}.${fault[0]}`] = [fault[1]]
      }
    }
    if ('chainId' in source) {
      const token = namedAsset(request.token)
      if (token.kind !== 'TOKEN' || token.chainId !== source.chainId) {
        faults[`${at}.source.chainId`] = [
          `must be the chain of ${request.token}, got ${source.chainId}`,
        ]
      }
    }
    const { low, base, high } = behaviour?.sellPips ?? { low: 0, base: 0, high: 0 }
    if (low > base || base > high) {
      faults[`${at}.behaviour.sellPips`] = [
        `must be low ≤ base ≤ high, got ${low}, ${base}, ${high}`,
      ]
    }
  }
  Object.assign(faults, duplicateFaults(request.schedules))
  for (const [place, mitigation] of (request.mitigations ?? []).entries()) {
    if ('quantity' in mitigation && mitigation.quantity === '0') {
      faults[`payload.mitigations.${place}.quantity`] = ['must be above 0, got 0']
    }
    // Without a number of days, the flows of the study would be scaled to another quantity.
    if (
      mitigation.kind === 'OTC_CARVE_OUT' &&
      mitigation.quantity !== undefined &&
      mitigation.days === undefined
    ) {
      faults[`payload.mitigations.${place}.days`] = [
        'is required with quantity: the number of days of the sale',
      ]
    }
  }
  refuse(faults)
}

/** Streams, wallets and obligations that an earlier schedule already has: their unlocks would count twice. */
function duplicateFaults(schedules: Input['schedules']): FieldErrors {
  const faults: FieldErrors = {}
  const seen = new Map<string, string>()
  for (const [index, { source, label }] of schedules.entries()) {
    const at = `payload.schedules.${index}.source`
    for (const [key, field] of keysOf(source)) {
      const before = seen.get(key)
      if (before === undefined) seen.set(key, label)
      else faults[`${at}.${field}`] = [`must not repeat the source of schedule "${before}"`]
    }
  }
  return faults
}

function keysOf(source: Input['schedules'][number]['source']): [key: string, field: string][] {
  switch (source.kind) {
    case 'DECLARED':
      return []
    case 'LEDGER':
      return [[source.obligation.id, 'obligation']]
    case 'OZ_VESTING_WALLET':
      return [[`${source.chainId}|${source.address.toLowerCase()}`, 'address']]
    case 'SABLIER_LOCKUP':
      return source.ids.map((id) => [
        `${source.chainId}|${source.address.toLowerCase()}|${id}`,
        'ids',
      ])
  }
}

function eventFault(event: Event): Fault | null {
  if (event.amount === '0') return ['amount', 'must be above 0, got 0']
  if (event.kind !== 'LINEAR') return null
  const [from, to] = [Date.parse(event.from), Date.parse(event.to)]
  if (to < from) return ['to', `must be at or after from, ${event.from}, got ${event.to}`]
  const cliff = event.cliffAt === undefined ? from : Date.parse(event.cliffAt)
  if (cliff < from || cliff > to) {
    return ['cliffAt', `must be between from and to, got ${event.cliffAt}`]
  }
  if (BigInt(event.initial ?? '0') > BigInt(event.amount)) {
    return ['initial', `must be at most the amount, ${event.amount}, got ${event.initial}`]
  }
  return null
}
