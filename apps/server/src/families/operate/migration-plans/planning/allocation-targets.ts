import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { Failure } from '../../../../failure.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { AllocationPlan } from '../../../plan/allocation-plans/api.ts'

type Target = Static<typeof contract.TargetPosition>

/**
 * The positions of an allocation plan, each with its share of the value. The largest share absorbs
 * the rounding.
 *
 * @throws Failure 404 LIQUIDITY_SOURCE_UNAVAILABLE
 */
export async function targetsOfAllocation(
  records: TenantRecords,
  { id, resourceVersion }: { id: string; resourceVersion: string },
): Promise<Target[]> {
  const found = await records.version<AllocationPlan>('AllocationPlan', id, resourceVersion)
  const refuse = (message: string) =>
    new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { 'payload.to.allocation': [message] },
    })
  if (!found) throw refuse(`must be a stored version, got ${id} ${resourceVersion}`)
  const { status, payload } = found.record
  if (status !== 'COMPLETED') throw refuse(`must be COMPLETED, got ${status}`)
  const venues = new Map(payload.request.options.map(({ optionId, venue }) => [optionId, venue]))
  const total = payload.allocation.reduce((sum, { valueQuote }) => sum + BigInt(valueQuote), 0n)
  const targets = payload.allocation.flatMap(({ optionId, valueQuote, tickLower, tickUpper }) => {
    const venue = venues.get(optionId)
    const sharePips = total === 0n ? 0 : Number((BigInt(valueQuote) * 1_000_000n) / total)
    if (!venue || sharePips === 0) return []
    const range = tickLower === undefined || tickUpper === undefined ? {} : { tickLower, tickUpper }
    return [{ venue, sharePips, ...range }]
  })
  const [largest] = targets.toSorted((a, b) => b.sharePips - a.sharePips)
  if (!largest) throw refuse('must allocate to at least one venue')
  largest.sharePips += 1_000_000 - targets.reduce((sum, { sharePips }) => sum + sharePips, 0)
  return targets
}
