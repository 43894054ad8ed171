import { expect, it } from 'vitest'
import { isAssumption, requireAction } from './assumption-options.ts'
import type { Pack } from './pack-types.ts'

type Option = Pack['options'][number]

const option = (optionId: string, pointer: string, more: object = {}) =>
  ({
    optionId,
    statusQuo: false,
    metrics: [{ pointer, source: { resourceType: 'TreasuryProjection' }, ...more }],
  }) as unknown as Option

const runway = '/payload/scenarios/1/controlledRunway/cash/net/monthsX3'
const winter = option('scenario-winter', runway)
const packOf = (origin: string, options: Option[]) =>
  ({ origin, options }) as Pick<Pack, 'origin' | 'options'>
const approve = (origin: string, one: Option) => () =>
  requireAction(packOf(origin, [one]), { optionId: one.optionId, at: 'optionId' })

it('a scenario of a treasury packet is no action, whatever its release', () => {
  expect(approve('TREASURY', winter)).toThrow(
    expect.objectContaining({ code: 'LIQUIDITY_DECISION_PACK_INVALID' }),
  )
  expect(approve('MANUAL', winter)).not.toThrow()
})

it('stays an assumption under another name', () => {
  expect(approve('TREASURY', option('winter', runway))).toThrow(
    expect.objectContaining({ code: 'LIQUIDITY_DECISION_PACK_INVALID' }),
  )
  expect(isAssumption({ ...option('scenario-sell', runway), metrics: [] })).toBe(false)
})

it('actions, and alternatives with other figures, can be approved', () => {
  for (const one of [
    option('action-1', runway, { afterSpend: '5' }),
    option('scenario-cut', runway, { afterSpend: '5' }),
    option('scenario-depth', '/payload/total/quote', { source: { resourceType: 'Study' } }),
    { ...winter, statusQuo: true },
  ]) {
    expect(isAssumption(one)).toBe(false)
    expect(approve('TREASURY', one)).not.toThrow()
  }
})
