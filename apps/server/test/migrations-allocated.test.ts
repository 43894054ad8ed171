import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AllocationPlan } from '../src/families/plan/allocation-plans/allocation-input.ts'
import { recordsOf, refOf } from './support/admissible.ts'
import { create, type Desk, planRequest, startDesk, stopDesk } from './support/migrating.ts'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => stopDesk(desk))

/** An allocation plan as its family stores one, as far as a migration reads it. */
async function allocated(
  values: readonly { venue: { id: string; resourceVersion: string }; valueQuote: bigint }[],
  status = 'COMPLETED',
) {
  const options = values.map(({ venue }, index) => ({ optionId: `option-${index}`, venue }))
  const { sealed, change } = recordsOf(desk.service, desk.owner).create('AllocationPlan', {
    status,
    payload: {
      request: { options },
      allocation: values.map(({ valueQuote }, index) => ({
        optionId: `option-${index}`,
        valueQuote: `${valueQuote}`,
        base: '0',
        quote: '0',
        liquidity: '1',
        tickLower: -6000,
        tickUpper: 6000,
        sharePips: 0,
      })),
    } as unknown as AllocationPlan,
    reason: 'For the test',
    event: 'allocation.computed',
  })
  await desk.service.services.committer.commit(change)
  return refOf(sealed.record)
}

it('moves to where an allocation plan puts the capital, in its shares', async () => {
  const { tight, wide } = desk.venues
  const allocation = await allocated([
    { venue: tight, valueQuote: 200n },
    { venue: wide, valueQuote: 100n },
  ])
  const { status, data } = await create(desk, planRequest(desk, { to: { allocation } }))
  expect(status).toBe(201)
  const minted = data.payload.steps.filter(({ kind }) => kind === 'MINT')
  expect(new Set(minted.map(({ venueId }) => venueId))).toEqual(new Set([tight.id, wide.id]))
  expect(data.payload.request.to).toEqual({ allocation })
})

it('moves to no plan that is not complete, or that puts nothing anywhere', async () => {
  const { tight } = desk.venues
  const partial = await allocated([{ venue: tight, valueQuote: 1n }], 'PARTIAL')
  const empty = await allocated([])
  for (const [allocation, why] of [
    [partial, /got PARTIAL/],
    [empty, /must allocate to at least one venue/],
  ] as const) {
    const answer = await create(desk, planRequest(desk, { to: { allocation } }))
    expect([answer.status, answer.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    expect(answer.fieldErrors['payload.to.allocation']![0]).toMatch(why)
  }
})
