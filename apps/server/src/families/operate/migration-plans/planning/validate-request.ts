import type { FieldErrors } from '@liquidity-os/contract'
import type { PlanRequest } from '../plan-types.ts'

const readableRules = ['DEPTH_BELOW', 'SLIPPAGE_ABOVE', 'OUT_OF_RANGE', 'PRICE_BELOW']

/** Contradictions within a request, beyond its schema. */
export function validateRequest(request: PlanRequest, now: number): FieldErrors {
  const faults: FieldErrors = {}
  const { pair, from, to, constraints, pilot, withoutPilot, costs } = request
  if (pair.base === pair.quote) faults['payload.pair.quote'] = ['must differ from the base']
  for (const [index, { owner }] of from.positions.entries()) {
    if (owner !== from.wallet) {
      faults[`payload.from.positions.${index}.owner`] = [`must be the wallet ${from.wallet}`]
    }
  }
  if (from.positions.every(({ owner }) => owner !== from.wallet)) {
    faults['payload.from.wallet'] = ['must own at least one of the positions']
  }
  const names = from.positions.map(({ venue, tickLower, tickUpper, tokenId }) =>
    [venue.id, tickLower, tickUpper, tokenId].join('|'),
  )
  if (new Set(names).size < names.length) {
    faults['payload.from.positions'] = ['must be unique, got one position twice']
  }
  if ('positions' in to) {
    const total = to.positions.reduce((sum, { sharePips }) => sum + sharePips, 0)
    if (total !== 1_000_000) {
      faults['payload.to.positions'] = [`must have shares that sum to 1000000, got ${total}`]
    }
  }
  const [low = '0', high = '0'] = constraints.priceBandX18
  if (BigInt(low) >= BigInt(high)) {
    faults['payload.constraints.priceBandX18'] = ['must be in ascending order']
  }
  if (BigInt(constraints.maxStepQuote) === 0n) {
    faults['payload.constraints.maxStepQuote'] = ['must be above zero']
  }
  if (costs && BigInt(costs.nativePriceX18) === 0n) {
    faults['payload.costs.nativePriceX18'] = ['must be above zero']
  }
  if (Date.parse(constraints.deadline) <= now) {
    faults['payload.constraints.deadline'] = ['must be in the future']
  }
  if (pilot === null && withoutPilot === undefined) {
    faults['payload.withoutPilot'] = ['is required: it states why the plan has no pilot']
  }
  if (pilot !== null && withoutPilot !== undefined) {
    faults['payload.withoutPilot'] = ['must be omitted if the plan has a pilot']
  }
  for (const [index, { kind }] of (pilot?.stop ?? []).entries()) {
    if (!readableRules.includes(kind)) {
      faults[`payload.pilot.stop.${index}.kind`] = [
        `must be one of ${readableRules.join(', ')}, which can be read from a chain; got ${kind}`,
      ]
    }
  }
  noteTooLarge(faults, request, 'payload')
  return faults
}

/** Chain numbers have 256 bits; the schema limits digits only. */
function noteTooLarge(faults: FieldErrors, value: unknown, path: string): void {
  if (typeof value === 'string' && /^[1-9]\d{77}$/.test(value) && BigInt(value) >= 1n << 256n) {
    faults[path] = [`must be below 2^256, got ${value}`]
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    // The only free text of the request.
    if (name !== 'withoutPilot') noteTooLarge(faults, member, `${path}.${name}`)
  }
}
