import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { RequestActor } from '../../../access/request-actor.ts'
import { limits } from '../../../limits.ts'
import { type Proposal, phaseOf } from '../../../market/proposals/agreed-packets.ts'
import { integerOf, textOf } from '../../../store/database/row.ts'
import { sql, values } from '../../../store/database/sql.ts'
import { headsById } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { shortHex } from '../../../texts.ts'
import { dayMilliseconds } from '../../../units.ts'

type Item = contract.InboxItem
type Actor = Pick<RequestActor, 'permissions' | 'userId'>
type Score = VersionedRecord<Static<typeof contract.MarketQualityScore>>

/**
 * Kinds of names that records hold until they end. A name begins with the end, so the index returns
 * them in order and without the records that ended.
 */
const dueKinds = {
  proposal: 'proposal-due',
  pack: 'decision-pack-due',
  score: 'score-due',
  passport: 'passport-due',
} as const

/** Records with an end that wait for the caller: proposals, packets, and what expires soon. */
export async function dueItems(records: TenantRecords, actor: Actor): Promise<Item[]> {
  const { organizationId, now } = records
  const [from, soon] = [now, now + limits.inboxExpiryMilliseconds].map((at) =>
    new Date(at).toISOString(),
  )
  const { permissions } = actor
  const decisionKinds = [
    ...(permissions.has('review') || permissions.has('operate') ? [dueKinds.proposal] : []),
    ...(permissions.has('review') ? [dueKinds.pack] : []),
  ]
  const expiringKinds = [
    ...(permissions.has('prepare') ? [dueKinds.score] : []),
    ...(permissions.has('publish') ? [dueKinds.passport] : []),
  ]
  const namesOf = (kind: string, before: string | null) =>
    sql`(select record_id from names where organization_id = ${organizationId} and kind = ${kind}
      and name >= ${`${from}`} ${before === null ? { text: '' } : sql`and name < ${before}`}
      order by name limit ${limits.inboxRead})`
  const statements = [
    ...decisionKinds.map((kind) => namesOf(kind, null)),
    ...expiringKinds.map((kind) => namesOf(kind, `${soon}`)),
  ]
  const [credentials, rows] = await Promise.all([
    expiringCredentials(records, actor),
    statements.length === 0 ? [] : records.query(statements),
  ])
  const ids = [...new Set(rows.flat().map((row) => textOf(row, 'record_id')))]
  const [heads = []] = ids.length === 0 ? [] : await records.query([headsById(organizationId, ids)])
  const found = records.opened<unknown>(heads) as VersionedRecord[]
  const marketOf = await readMarketNames(records, found.filter(isScore))
  const items = found.flatMap((record) => itemOf(record, { actor, marketOf }, now))
  return [...items, ...credentials]
}

const isScore = (record: VersionedRecord): record is Score =>
  record.resourceType === 'MarketQualityScore'

/** The market of each score, by the names of its venues: `ENS/WETH`. */
async function readMarketNames(
  records: TenantRecords,
  scores: readonly Score[],
): Promise<(score: Score) => string> {
  const ids = [...new Set(scores.flatMap(({ payload }) => payload.request.venues[0]?.id ?? []))]
  const [heads = []] =
    ids.length === 0 ? [] : await records.query([headsById(records.organizationId, ids)])
  const names = new Map(
    records.opened<{ name: string }>(heads).map(({ id, payload }) => [id, payload.name]),
  )
  return ({ payload: { request } }) => {
    const [venue] = request.venues
    const name = venue && names.get(venue.id)
    const { base, quote } = request.pair
    return name === undefined ? `${shortHex(base)}/${shortHex(quote)}` : marketName(name)
  }
}

/** `ENS/WETH` of a venue `ENS / WETH 0.30 %`; other names stay. */
function marketName(venueName: string): string {
  const [, base, quote] = /^\s*([\w.$]{2,12})\s*[/-]\s*([\w.$]{2,12})\b/.exec(venueName) ?? []
  return base && quote ? `${base}/${quote}` : venueName
}

interface Reader {
  readonly actor: Actor
  readonly marketOf: (score: Score) => string
}

function itemOf(record: VersionedRecord, { actor, marketOf }: Reader, now: number): Item[] {
  if (record.resourceType === 'ProposalWorkspace') {
    return proposalItem(record as unknown as Proposal, actor, now)
  }
  if (record.resourceType === 'DecisionPack') {
    return packItem(record as VersionedRecord<contract.DecisionPack>, actor, now)
  }
  if (isScore(record)) return scoreItem(record, marketOf(record), now)
  return passportItem(record as VersionedRecord<contract.LiquidityPassport>, now)
}

function proposalItem(record: Proposal, { permissions, userId }: Actor, now: number): Item[] {
  const { title, preparedBy, review, approvals } = record.payload
  const phase = phaseOf(record, now)
  const common = itemFields(record, review.expiresAt, now)
  if (phase === 'APPROVED') {
    return permissions.has('operate')
      ? [{ ...common, kind: 'IMPORT', title, operationId: 'registerProposalSafeSubmission' }]
      : []
  }
  const isOpen = record.status === 'DRAFT' || record.status === 'VALIDATED'
  const isRequested =
    isOpen &&
    phase !== 'EXPIRED' &&
    permissions.has('review') &&
    // An approval by the preparer counts only if one suffices.
    (preparedBy.userId !== userId || review.required === 1) &&
    (review.reviewers?.includes(userId) ?? true) &&
    !approvals.some((approval) => approval.userId === userId)
  return isRequested ? [{ ...common, kind: 'APPROVE', title, operationId: 'decideProposal' }] : []
}

function packItem(
  record: VersionedRecord<contract.DecisionPack>,
  { userId }: Actor,
  now: number,
): Item[] {
  const { question, expiresAt, authors, approvals } = record.payload
  const isDone =
    record.status !== 'VALIDATED' ||
    authors.includes(userId) ||
    approvals.some(({ actor }) => actor.id === userId)
  if (isDone) return []
  const common = itemFields(record, expiresAt, now)
  const title = question.slice(0, limits.alertTitleCharacters)
  return [{ ...common, kind: 'DECIDE', title, operationId: 'applyDecisionPackCommand' }]
}

/** A schedule refreshes a score with `keepActive`. */
function scoreItem(record: Score, market: string, now: number): Item[] {
  const { validUntil, keepActive } = record.payload
  if (record.status !== 'ACTIVE' || keepActive === true) return []
  const title = `Market quality score of ${market} expires`
  return [
    { ...itemFields(record, validUntil, now), kind: 'EXPIRES', title, operationId: 'createScores' },
  ]
}

function passportItem(record: VersionedRecord<contract.LiquidityPassport>, now: number): Item[] {
  const { validUntil, slug } = record.payload
  if (record.status !== 'ACTIVE') return []
  const title = `Passport ${slug} expires`
  const common = itemFields(record, validUntil, now)
  return [{ ...common, kind: 'EXPIRES', title, operationId: 'publishLiquidityPassport' }]
}

async function expiringCredentials(
  records: TenantRecords,
  { permissions }: Actor,
): Promise<Item[]> {
  if (!permissions.has('credentials.manage')) return []
  const { organizationId, now } = records
  const [rows = []] = await records.query([
    sql`select credential_id, expires_at from credential_secrets where organization_id = ${organizationId}
      and status in ${values(['ACTIVE'])} and expires_at > ${now}
      and expires_at < ${now + limits.inboxExpiryMilliseconds}
      order by expires_at limit ${limits.inboxRead}`,
  ])
  if (rows.length === 0) return []
  const ends = new Map(
    rows.map((row) => [textOf(row, 'credential_id'), integerOf(row, 'expires_at')]),
  )
  const [heads = []] = await records.query([headsById(organizationId, [...ends.keys()])])
  return records.opened<{ label: string }>(heads).map((record) => ({
    ...itemFields(record, new Date(ends.get(record.id) ?? now).toISOString(), now),
    kind: 'EXPIRES',
    title: `Credential ${record.payload.label} expires`,
    operationId: 'rotateDeveloperCredential',
  }))
}

/** Fields of an item that follow from its record and its end. */
const itemFields = (
  {
    id,
    resourceType,
    resourceVersion,
  }: Pick<VersionedRecord, 'id' | 'resourceType' | 'resourceVersion'>,
  dueAt: string,
  now: number,
): Pick<Item, 'subject' | 'dueAt' | 'severity' | 'alertId'> => ({
  subject: { resourceType, id, resourceVersion } as Item['subject'],
  alertId: null,
  dueAt,
  severity: urgencyOf(Date.parse(dueAt) - now),
})

/** CRITICAL within a day, WARNING within three. */
function urgencyOf(milliseconds: number): Item['severity'] {
  if (milliseconds <= dayMilliseconds) return 'CRITICAL'
  return milliseconds <= 3 * dayMilliseconds ? 'WARNING' : 'INFO'
}
