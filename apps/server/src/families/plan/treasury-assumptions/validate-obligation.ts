import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { isSameSchedule } from '../../../market/treasury/schedule.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { currentSources } from '../../sources.ts'
import { activeEntries, type LedgerEntry } from '../treasury-entries/api.ts'

type Line = contract.TreasuryAssumptionInput['lines'][number]
type LinkedLine = Line & { readonly obligation: NonNullable<Line['obligation']> }
type NumberedLine<L extends Line = Line> = { readonly line: L; readonly place: number }
type Obligation = { readonly id: string; readonly payload: contract.TreasuryObligation }

/** The record kind of obligations. */
const obligationType = 'TreasuryBucket'

/**
 * Rejects invalid links to obligations, and lines that duplicate an obligation of the ledger.
 *
 * @param at prefix of field paths
 * @throws Failure 404 for an unknown obligation, 412 for an outdated one. Failure 422 for an
 * invalid link, and for a line that equals an unlinked obligation. A link needs an active
 * obligation in the line's asset.
 */
export async function requireObligations(
  records: TenantRecords,
  lines: readonly Line[],
  at: string,
): Promise<void> {
  const placed = lines.map((line, index) => ({ line, place: index }))
  const linked = placed.filter(
    (one): one is NumberedLine<LinkedLine> => one.line.obligation !== undefined,
  )
  await requireLinks(records, linked, at)
  const links = new Set(linked.map(({ line }) => line.obligation.id))
  const owed = obligationsOf(await activeEntries(records)).filter(({ id }) => !links.has(id))
  refuse(
    'LIQUIDITY_ASSUMPTIONS_OBLIGATION_DOUBLE_COUNTED',
    placed.flatMap(({ line, place: itemIndex }) => {
      const same = line.obligation
        ? undefined
        : owed.find((one) => equalsObligation(line, one.payload))
      if (!same) return []
      const message = `must link ${same.id}, which has the same asset, amount and schedule and would be paid twice, got none`
      return [[`${at}lines.${itemIndex}.obligation`, message]]
    }),
  )
}

async function requireLinks(
  records: TenantRecords,
  linked: readonly NumberedLine<LinkedLine>[],
  at: string,
): Promise<void> {
  const field = (place: number) => `${at}lines.${place}.obligation`
  refuse(
    'LIQUIDITY_SOURCE_UNAVAILABLE',
    linked.flatMap(({ line: { obligation }, place }) =>
      obligation.resourceType === obligationType
        ? []
        : [
            [
              `${field(place)}.resourceType`,
              `must be ${obligationType}, got ${obligation.resourceType}`,
            ],
          ],
    ),
  )
  const found = await currentSources(
    records,
    linked.map(({ line: { obligation: ref }, place }) => ({ ref, at: field(place) })),
  )
  refuse(
    'LIQUIDITY_ASSUMPTIONS_INCONSISTENT',
    linked.flatMap(({ line, place }, index): Fault[] => {
      // Sources are in request order.
      const { status, payload } = found[index] as Pick<LedgerEntry, 'status' | 'payload'>
      if (payload.entryKind !== 'OBLIGATION') {
        return [[`${field(place)}.id`, `must be an OBLIGATION, got ${payload.entryKind}`]]
      }
      if (!['ACTIVE', 'PARTIAL'].includes(status)) {
        return [[`${field(place)}.id`, `must be an active obligation, got one that is ${status}`]]
      }
      if (payload.asset === line.assetKey) return []
      const message = `must be ${payload.asset}, the asset of the linked obligation, got ${line.assetKey}`
      return [[`${at}lines.${place}.assetKey`, message]]
    }),
  )
}

const obligationsOf = (entries: readonly LedgerEntry[]): Obligation[] =>
  entries.flatMap(({ id, payload }) =>
    payload.entryKind === 'OBLIGATION' ? [{ id, payload }] : [],
  )

/** Growth and certainty are ignored, because they do not make it a different debt. */
export const equalsObligation = (
  line: Line,
  { asset, obligation }: contract.TreasuryObligation,
): boolean =>
  line.direction === 'OUTFLOW' &&
  line.assetKey === asset &&
  line.amount === obligation.amount &&
  isSameSchedule(line.schedule, obligation.schedule)

type Fault = readonly [field: string, message: string]

function refuse(code: ConstructorParameters<typeof Failure>[0], faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const fieldErrors: FieldErrors = {}
  for (const [field, message] of faults.slice(0, limits.fieldErrors)) fieldErrors[field] = [message]
  throw new Failure(code, { fieldErrors })
}
