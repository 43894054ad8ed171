import type { contract } from '@liquidity-os/contract'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { tokenKey } from '../../../market/treasury/asset-keys.ts'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import { controlOf } from '../../plan/treasury-entries/api.ts'
import type { MeasuredDepth } from './depth-task.ts'
import { type Entry, isOfMarket, pairAtomsOf, quoteKeyOf } from './ledger.ts'
import { signedTime } from './signed-time.ts'
import type { PassportSources } from './sources.ts'

interface Ref {
  readonly id: string
  readonly resourceVersion: string
}

/** Tokens of the Safe outside liquidity positions, with the evidence that proves control. */
interface IdleEntry {
  readonly entry: Ref
  /** Atoms. */
  readonly base: string
  readonly quote: string
  readonly control: { readonly evidence: Ref; readonly until: string }
}

/** A reconciled line of the Safe: at least two sides are known, and all known sides are equal. */
interface AgreedLine {
  readonly assetKey: string
  readonly ledger: string
  readonly custody: string | null
  readonly chain: string | null
}

/** Own liquidity by kind. The three figures are not additive, because a sale uses the positions. */
export interface OwnedSplit {
  readonly positions: { readonly base: string; readonly quote: string }
  readonly quoteBalance: string
  readonly ownTokens: {
    readonly base: string
    /** Quote atoms of one sale in the bound states; null if the market cannot take it. */
    readonly realizableQuote: string | null
  }
}

interface TreasuryEvidence {
  readonly base: string
  readonly quote: string
  /** Price behind the values, quote atoms per base atom. */
  readonly price: { readonly num: string; readonly den: string }
  readonly owned: OwnedSplit
  readonly idle: readonly IdleEntry[]
  /** Observations of the venues whose liquidity an active program pays for. */
  readonly rentedObservations: readonly Ref[]
  readonly lines: readonly AgreedLine[]
}

/**
 * Evidence of claims that no bound record carries. The publication event names its hash. Members
 * that the disclosure withholds are absent.
 */
export interface ClaimEvidence {
  readonly claimsVersion: 'liquidity-claims-v1'
  readonly reconciliation: (Ref & { readonly asOf: string }) | null
  /** SHA-256 over artifact hash, creation time and id of each record. */
  readonly sets: Readonly<Record<'receipts' | 'anomalies' | 'ledgerEntries', string>>
  readonly managers?: {
    readonly mandates: readonly { readonly mandate: Ref; readonly name: string }[]
    readonly custodians: readonly string[]
  }
  readonly treasury?: TreasuryEvidence
}

const refOf = ({ id, resourceVersion }: Ref): Ref => ({ id, resourceVersion })

/** @param depth in the states that the passport binds */
export function claimEvidenceOf(
  sources: PassportSources,
  depth: MeasuredDepth,
  disclosure: contract.PassportDisclosure,
): ClaimEvidence {
  const { reconciliation, mandates, custodianNames } = sources
  const asOf = reconciliation?.payload.computation.snapshot?.asOf
  return {
    claimsVersion: 'liquidity-claims-v1',
    reconciliation:
      reconciliation && asOf !== undefined
        ? { ...refOf(reconciliation), asOf: signedTime(asOf) }
        : null,
    sets: {
      receipts: setHash(sources.receipts),
      anomalies: setHash(sources.incidents),
      ledgerEntries: setHash(sources.ledger.entries),
    },
    ...(disclosure.showExternalManagerNames
      ? {
          managers: {
            mandates: mandates.map((one) => ({
              mandate: refOf(one),
              name: one.payload.marketMaker.name,
            })),
            custodians: [...custodianNames],
          },
        }
      : {}),
    ...(disclosure.showTreasuryOwnership ? { treasury: treasuryOf(sources, depth) } : {}),
  }
}

type Listed = { readonly artifactHash: string; readonly createdAt: string; readonly id: string }

const setHash = (records: readonly Listed[]): string => {
  const stubs = records.map(({ artifactHash, createdAt, id }) => ({ artifactHash, createdAt, id }))
  return `0x${sha256Hex(Buffer.from(canonicalize(stubs)))}`
}

function treasuryOf(sources: PassportSources, { mid, saleQuote }: MeasuredDepth): TreasuryEvidence {
  const { ledger, vault, venues, observations } = sources
  const { pair } = vault.payload
  if (mid === null) throw new Error('A passport has treasury claims, but no price.')
  const [inPositions, idle] = [true, false].map((isPosition) =>
    ledger.owned.filter((entry) => isOfMarket(entry, pair) === isPosition),
  ) as [Entry[], Entry[]]
  const sumOf = (entries: readonly Entry[], token: 'base' | 'quote') =>
    `${entries.reduce((sum, entry) => sum + pairAtomsOf(entry, pair)[token], 0n)}`
  return {
    base: tokenKey(pair.chainId, pair.base),
    quote: quoteKeyOf(pair),
    price: mid,
    owned: {
      positions: { base: sumOf(inPositions, 'base'), quote: sumOf(inPositions, 'quote') },
      quoteBalance: sumOf(idle, 'quote'),
      ownTokens: { base: sumOf(idle, 'base'), realizableQuote: saleQuote },
    },
    idle: idle.map((entry) => idleEntryOf(entry, sources)),
    rentedObservations: venues.flatMap(({ id }, index) => {
      const observation = observations[index]
      return observation && ledger.rentedVenueIds.includes(id) ? [refOf(observation)] : []
    }),
    lines: agreedLinesOf(sources),
  }
}

function idleEntryOf(entry: Entry, { ledger, vault }: PassportSources): IdleEntry {
  const { source, until } = controlOf(entry.payload, ledger.custody)
  if (!source || until === null) throw new Error(`The entry ${entry.id} has no proof of control.`)
  const { base, quote } = pairAtomsOf(entry, vault.payload.pair)
  return {
    entry: refOf(entry),
    base: `${base}`,
    quote: `${quote}`,
    control: { evidence: refOf(source), until: signedTime(until) },
  }
}

/** Lines of the reconciliation that agree, for one account. */
export function agreedLines({
  reconciliation,
  vault,
}: Pick<PassportSources, 'reconciliation' | 'vault'>) {
  const { chainId, safeAddress } = vault.payload
  const key = `eip155:${chainId}:${safeAddress.toLowerCase()}`
  const lines = reconciliation?.payload.lines ?? []
  return lines.filter(({ cause, container }) => cause === 'AGREED' && container === key)
}

const agreedLinesOf = (sources: PassportSources): AgreedLine[] =>
  agreedLines(sources).map(({ assetKey, ledger, custody, chain }) => ({
    assetKey,
    ledger,
    custody,
    chain,
  }))

export function claimEvidenceArtifact(evidence: ClaimEvidence): Omit<ArtifactInsert, 'producer'> {
  const content = Buffer.from(canonicalize(evidence))
  return { contentHash: contentHashOf(content), mediaType: 'application/json', content }
}
