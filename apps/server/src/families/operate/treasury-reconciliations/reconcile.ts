import type { contract, FieldErrors } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import { limits } from '../../../limits.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { treasuryComputation } from '../../../market/treasury/treasury-computation.ts'
import {
  type PinnedSnapshot,
  pinnedSnapshot,
  takeSnapshot,
} from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import { treasuryEntries } from '../../plan/treasury-entries/api.ts'
import { currentSources } from '../../sources.ts'
import { breakOf, openSince } from './breaks.ts'
import { agreementOf } from './causes.ts'
import { type ComparedLine, comparePlace } from './compare-place.ts'
import { readStatements } from './custody-statements.ts'
import { type HoldingRecord, type Place, placesOf } from './places.ts'
import { totalsOf } from './totals.ts'
import { worthOf } from './worth.ts'

type Request = contract.TreasuryReconciliationPreviewRequest
type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = contract.ReconciliationLine

interface Terms {
  /** Prefix of field paths. */
  readonly at: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Maximum age of pinned blocks, in days. */
const pinnedDays = 7

/**
 * Compares ledger, signed custody and chain at one moment. It writes no record and never adjusts a
 * quantity. Equal requests at equal blocks give an equal hash.
 *
 * @throws Failure 404 for unknown records, 412 for an outdated version, 422 for a contradictory or
 * too large request, 503 if the chain is unavailable
 */
export async function reconcile(
  records: TenantRecords,
  services: ProviderAccess,
  request: Request,
  terms: Terms,
): Promise<Reconciliation> {
  requireSound(request, terms.at)
  const all = await holdingsOf(records)
  const scope = await scopeOf(records, request, all, terms.at)
  const statements = await readStatements(records, request.evidence ?? [], terms)
  requireMappings(request, scope, terms.at)
  const places = placesOf(scope, statements, request.mappings ?? [], all)
  if (places.length > limits.reconciliationLines) {
    throw new Failure('LIQUIDITY_RECONCILIATION_TOO_WIDE', {
      fieldErrors: {
        [`${terms.at}scope`]: [
          `must result in at most ${limits.reconciliationLines} lines, got ${places.length}`,
        ],
      },
    })
  }
  const snapshot = await snapshotFor(records, services, { request, places, terms })
  const compared = await inSlices(places, limits.reconciliationReads, (place) =>
    comparePlace(place, snapshot),
  )
  const found = compared.filter((line) => line !== null)
  const worth = await worthOf(records, request, found, snapshot.asOf)
  const since = await openSince(records)
  const lines = found.map((line): Line => lineOf(line, { since, snapshot, worth }))
  return assembled(request, lines, snapshot, worth)
}

function requireSound(request: Request, at: string): void {
  const { asOf = [], materialityQuote, valuation, mappings = [] } = request
  const faults: FieldErrors = {}
  const chains = asOf.map(({ chainId }) => chainId)
  const twice = chains.findIndex((chainId, index) => chains.indexOf(chainId) < index)
  if (twice >= 0) {
    faults[`${at}asOf.${twice}.chainId`] = [`must be unique, got ${chains[twice]} twice`]
  }
  if (materialityQuote !== undefined && materialityQuote !== '0' && !valuation) {
    faults[`${at}valuation`] = ['is required if materialityQuote is above 0']
  }
  for (const [index, { container, assetKey }] of mappings.entries()) {
    if (isPossible(container, assetKey)) continue
    faults[`${at}mappings.${index}.assetKey`] = [
      `must be an asset of the chain of ${container}, got ${assetKey}`,
    ]
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', { fieldErrors: faults })
}

/** An on-chain account can only have assets of its chain; a custodian can have any asset. */
function isPossible(container: string, assetKey: string): boolean {
  const asset = namedAsset(assetKey)
  const [kind, chainId] = container.split(':')
  return kind !== 'eip155' || (asset.kind !== 'MONEY' && `${asset.chainId}` === chainId)
}

/** All active holdings, oldest first. */
async function holdingsOf(records: TenantRecords): Promise<HoldingRecord[]> {
  const entries = await treasuryEntries.find(records, {
    status: ['ACTIVE', 'PARTIAL'],
    order: 'OLDEST',
  })
  return entries.filter((entry): entry is HoldingRecord => entry.payload.entryKind === 'ASSET')
}

async function scopeOf(
  records: TenantRecords,
  { scope }: Request,
  all: readonly HoldingRecord[],
  at: string,
): Promise<HoldingRecord[]> {
  if (scope.kind === 'ALL_ACTIVE') return [...all]
  await currentSources(
    records,
    scope.entries.map((ref, index) => ({ ref, at: `${at}scope.entries.${index}` })),
  )
  const faults: FieldErrors = {}
  const named = scope.entries.flatMap(({ id }, index) => {
    const entry = all.find((one) => one.id === id)
    if (!entry) faults[`${at}scope.entries.${index}`] = [`must be an active holding, got ${id}`]
    return entry ?? []
  })
  if (Object.keys(faults).length === 0) return named
  throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', { fieldErrors: faults })
}

function requireMappings(
  { mappings = [] }: Request,
  scope: readonly HoldingRecord[],
  at: string,
): void {
  const seen = new Set<string>()
  const faults: FieldErrors = {}
  for (const [index, { entryIds }] of mappings.entries()) {
    for (const id of entryIds) {
      const isCompared = scope.some((entry) => entry.id === id)
      if (isCompared && !seen.has(id)) seen.add(id)
      else {
        faults[`${at}mappings.${index}.entryIds`] = [
          `must be entries of the scope, each in only one mapping, got ${id}`,
        ]
      }
    }
  }
  if (Object.keys(faults).length === 0) return
  throw new Failure('LIQUIDITY_RECONCILIATION_MAPPING_OVERLAP', { fieldErrors: faults })
}

/** Snapshot of the required chains: the last finalized one, or the one pinned in the request. */
async function snapshotFor(
  records: TenantRecords,
  services: ProviderAccess,
  requested: {
    readonly request: Request
    readonly places: readonly Place[]
    readonly terms: Terms
  },
): Promise<PinnedSnapshot> {
  const { request, places, terms } = requested
  const chainIds = places.flatMap(({ container, assetKey }) => {
    const asset = namedAsset(assetKey)
    return container.startsWith('eip155:') && asset.kind !== 'MONEY' ? [asset.chainId] : []
  })
  if (chainIds.length === 0) return nothingOnChains(terms.now)
  if (!request.asOf) return takeSnapshot(records, services, chainIds, `${terms.at}scope`)
  const pins = request.asOf.filter(({ chainId }) => chainIds.includes(chainId))
  const missing = chainIds.find((chainId) => !pins.some((pin) => pin.chainId === chainId))
  if (missing !== undefined || pins.length < request.asOf.length) {
    const message = `must pin exactly the chains of the scope: ${[...new Set(chainIds)].join(', ')}`
    throw new Failure('LIQUIDITY_RECONCILIATION_REQUEST_INCONSISTENT', {
      fieldErrors: { [`${terms.at}asOf`]: [message] },
    })
  }
  const snapshot = await pinnedSnapshot(records, services, pins, `${terms.at}asOf`)
  const refused = (member: string, message: string) =>
    new Failure('LIQUIDITY_RECONCILIATION_BLOCK_TOO_OLD', {
      fieldErrors: { [`${terms.at}asOf${member}`]: [message] },
    })
  if ('pin' in snapshot) {
    const itemIndex = request.asOf.indexOf(snapshot.pin as never)
    throw refused(`.${itemIndex}.${snapshot.member}`, snapshot.message)
  }
  if (terms.now - snapshot.asOf * 1000 > pinnedDays * dayMilliseconds) {
    throw refused('', `must be within ${pinnedDays} days, got ${snapshot.view.asOf}`)
  }
  return snapshot
}

/** A custodian-only request has no block. Its time is the request time in whole seconds. */
function nothingOnChains(now: number): PinnedSnapshot {
  const asOf = Math.floor(now / 1000)
  const snapshot = { asOf: new Date(asOf * 1000).toISOString(), chains: [] }
  return {
    asOf,
    view: { ...snapshot, snapshotHash: H('snapshot/v1', snapshot) },
    chains: new Map(),
    gaps: [],
    limitations: [],
  }
}

type Worth = Awaited<ReturnType<typeof worthOf>>

function lineOf(
  { isOpen, ...line }: ComparedLine,
  known: {
    readonly since: Awaited<ReturnType<typeof openSince>>
    readonly snapshot: PinnedSnapshot
    readonly worth: Worth
  },
): Line {
  const { lineKey } = line
  return {
    ...line,
    ...breakOf({ lineKey, isOpen }, known.since, known.snapshot.view.asOf),
    ...known.worth.ofLine(line, isOpen),
  }
}

function assembled(
  request: Request,
  lines: readonly Line[],
  snapshot: PinnedSnapshot,
  worth: Worth,
): Reconciliation {
  const causes = lines.map(({ cause }) => cause)
  const covered = lines.filter(({ custody }) => custody !== null)
  const without = lines.filter(({ custody }) => custody === null).map(({ container }) => container)
  const unreadable = lines.flatMap(({ cause, container, assetKey }) =>
    cause === 'UNREADABLE'
      ? [
          {
            code: 'BALANCE_UNREADABLE',
            subject: `${container}|${assetKey}`,
            detail: 'The asset did not respond at the block.',
            effect: 'EXCLUDED' as const,
          },
        ]
      : [],
  )
  // The snapshot defines the blocks. Pinned or found, equal blocks give an equal hash.
  const { asOf: _pinned, ...requestedValue } = request
  const computation = treasuryComputation({
    request: requestedValue,
    snapshot: snapshot.view,
    prices: worth.prices,
    sources: lines.flatMap(({ sources }) => sources),
    gaps: [...snapshot.gaps, ...worth.gaps, ...unreadable],
    limitations: snapshot.limitations,
    isAbstained: lines.length === 0,
  })
  const body = {
    agreement: agreementOf(causes),
    lines: [...lines],
    totals: totalsOf(lines),
    coverage: {
      custodyOfLinesPips:
        lines.length === 0 ? 0 : Math.floor((covered.length * 1_000_000) / lines.length),
      containersWithoutEvidence: [...new Set(without)],
    },
    computation,
  }
  return {
    request,
    ...body,
    acknowledgements: [],
    requireSecondPerson: false,
    reconciliationHash: H('reconciliation/v1', { request: requestedValue, ...body }),
  }
}
