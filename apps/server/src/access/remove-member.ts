import type { Actor } from '@liquidity-os/evidence'
import { limits } from '../limits.ts'
import type { Artifacts } from '../store/artifacts/artifacts.ts'
import { ConflictError, type Database } from '../store/database/database.ts'
import { integerOf, textOf } from '../store/database/row.ts'
import { type Sql, sql, values } from '../store/database/sql.ts'
import { type Change, emptyChange, joinChanges } from '../store/records/change.ts'
import type { Committer } from '../store/records/committer.ts'
import { member } from '../store/records/find.ts'
import { newId } from '../store/records/ids.ts'
import { TenantRecords } from '../store/records/tenant-records.ts'
import type { VerifiedTexts } from '../store/records/verified-texts.ts'
import {
  AdministrationError,
  lockOwners,
  otherOwners,
  requireOrganization,
} from './administration.ts'
import type { DepartedRecord, Departure, DepartureEffects } from './departure.ts'
import { foldEmail } from './email-address.ts'
import { recordRemoval } from './member-changes.ts'

export interface RemovalContext {
  readonly database: Database
  readonly committer: Committer
  readonly verified: VerifiedTexts
  readonly artifacts: Artifacts
  readonly departures: readonly Departure[]
}

export interface Removal extends DepartureEffects {
  readonly userId: string
  readonly email: string
}

interface MemberRemoval {
  readonly organizationId: string
  readonly email: string
  /** The owner who removes the member, or the operator at the command line. */
  readonly actor: Actor
  readonly reason?: string | null
}

/**
 * Removes a member. One transaction ends the membership and revokes the member's credentials and
 * share links. It also pauses records that send data out or bring data in for the member. None
 * resume if the member is added again.
 *
 * @throws AdministrationError if the address is not a member, or is the last owner
 */
export async function removeMember(
  context: RemovalContext,
  requested: MemberRemoval,
  now: number,
): Promise<Removal> {
  await requireOrganization(context.database, requested.organizationId)
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await tryRemoval(context, requested, now)
    } catch (cause) {
      // A record of the member changed meanwhile, or another owner left: read everything again.
      const isFinal = attempts === limits.contentionAttempts
      if (!(cause instanceof ConflictError) || isFinal) throw cause
    }
  }
}

async function tryRemoval(
  context: RemovalContext,
  requestedValue: MemberRemoval,
  now: number,
): Promise<Removal> {
  const { database, committer, verified, artifacts } = context
  const { organizationId, actor, reason = null } = requestedValue
  const email = foldEmail(requestedValue.email)
  const userId = await requireRemovable(database, { organizationId, email })
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
  const { change, effects } = await endDepartures(context.departures, records, userId)
  effects.revoked.push(...(await findSentInvitations(records, { userId, email })))
  const removal = { userId, email, ...effects }
  await committer.commit({
    ...change,
    statements: [
      ...change.statements,
      ...removalStatements({ organizationId, actor, reason, removal }, now),
    ],
  })
  return removal
}

/** @throws AdministrationError if the member does not exist or is the last owner */
async function requireRemovable(
  database: Database,
  { organizationId, email }: { organizationId: string; email: string },
): Promise<string> {
  const [users = []] = await database.global([sql`select id from users where email = ${email}`])
  const userId = users[0] ? textOf(users[0], 'id') : ''
  const [members = []] = await database.tenant(organizationId, [
    sql`select role = 'OWNER' and not ${otherOwners(organizationId, userId)} as is_last_owner
      from memberships where organization_id = ${organizationId} and user_id = ${userId}`,
  ])
  if (!members[0]) throw new AdministrationError(`${email} is not a member.`)
  if (textOf(members[0], 'is_last_owner') === 't') {
    throw new AdministrationError('The last owner cannot leave.')
  }
  return userId
}

type Effects = Record<keyof DepartureEffects, DepartedRecord[]>

/** Finds the records of the member that still act, and builds the change that ends or pauses them. */
async function endDepartures(
  departures: readonly Departure[],
  records: TenantRecords,
  userId: string,
): Promise<{ change: Change; effects: Effects }> {
  const { organizationId, now } = records
  const makers = await findActorIds(records, userId)
  const effects: Effects = { revoked: [], paused: [], unchanged: [] }
  let change = emptyChange(organizationId, now)
  for (const departure of departures) {
    const found = await records.find(departure.type, {
      status: ['ACTIVE'],
      where: madeBy(departure, organizationId, makers),
      order: 'OLDEST',
    })
    for (const { id, resourceType } of found) {
      const current = await records.current(departure.type, id)
      if (current?.record.status !== 'ACTIVE') throw new ConflictError('record', null)
      const outcome = departure.outcomeOf(current.record)
      const title = departure.titleOf(current.record)
      const group = outcome === 'UNCHANGED' ? 'unchanged' : outcomeGroups[outcome]
      effects[group].push({ resourceType, id, title })
      if (outcome === 'UNCHANGED') continue
      const ended = departure.end(records, current, userId)
      const statements = [...change.statements, ...ended.statements]
      change = { ...joinChanges(change, ended), statements }
    }
  }
  return { change, effects }
}

const outcomeGroups = { REVOKED: 'revoked', PAUSED: 'paused' } as const

/** A pending invitation that a removed owner sent would be a way back in. */
async function findSentInvitations(
  records: TenantRecords,
  removed: { userId: string; email: string },
): Promise<DepartedRecord[]> {
  const [rows = []] = await records.query([
    sql`select email, role from invitations where ${sentBy(records.organizationId, removed)} order by email`,
  ])
  return rows.map((row) => ({
    resourceType: 'Invitation',
    id: textOf(row, 'email'),
    title: textOf(row, 'role'),
  }))
}

const sentBy = (organizationId: string, { userId, email }: { userId: string; email: string }) =>
  sql`organization_id = ${organizationId} and (invited_by = ${userId} or email = ${email})`

/** Author IDs of the member: the user, and each credential that the user created. */
async function findActorIds(records: TenantRecords, userId: string): Promise<string[]> {
  const [rows = []] = await records.query([
    sql`select credential_id from credential_secrets
      where organization_id = ${records.organizationId} and creator_id = ${userId}`,
  ])
  return [userId, ...rows.map((row) => textOf(row, 'credential_id'))]
}

function madeBy({ maker }: Departure, organizationId: string, ids: readonly string[]): Sql {
  const last = sql`${member('createdBy.id')} in ${values(ids)}`
  const first = sql`exists (select from records f where f.organization_id = ${organizationId}
    and f.id = h.id and f.sequence = 1 and (f.body::jsonb #>> '{createdBy,id}') in ${values(ids)})`
  if (maker === 'FIRST_OR_LAST') return sql`${last} or ${first}`
  return maker === 'LAST' ? last : first
}

/** Ends the membership itself. Fails with our own state (LQ001) if the last owner would leave. */
function removalStatements(
  {
    organizationId,
    actor,
    reason,
    removal,
  }: { organizationId: string; actor: Actor; reason: string | null; removal: Removal },
  now: number,
): Sql[] {
  const { userId, email, ...effects } = removal
  const subject = { organizationId, userId, email }
  const author = { changedBy: actor.id, reason }
  return [
    lockOwners(organizationId),
    sql`with removed as (delete from memberships where organization_id = ${organizationId}
        and user_id = ${userId} and (role <> 'OWNER' or ${otherOwners(organizationId, userId)})
        returning user_id, role),
      stored as (${recordRemoval(subject, sql`removed`, author, now)})
      select require_expected(count(*) = 1) from removed`,
    // Earlier sessions and credentials have the old epoch, so they become invalid.
    sql`update users set epoch = epoch + 1 where id = ${userId}`,
    sql`delete from invitations where ${sentBy(organizationId, removal)}`,
    sql`insert into member_removals (organization_id, id, user_id, email, removed_by, removed_at, effects)
      values (${organizationId}, ${newId('member_removal', now)}, ${userId}, ${email}, ${actor.id}, ${now},
        ${JSON.stringify(effects)})`,
  ]
}

export interface ListedRemoval extends Removal {
  readonly removedBy: string
  readonly removedAt: string
}

/** The removals of an organization with their effects, newest first. */
export async function listRemovals(
  database: Database,
  organizationId: string,
): Promise<ListedRemoval[]> {
  const [rows = []] = await database.tenant(organizationId, [
    sql`select user_id, email, removed_by, removed_at, effects from member_removals
      where organization_id = ${organizationId} order by id desc limit ${limits.memberRemovalsListed}`,
  ])
  return rows.map((row) => ({
    userId: textOf(row, 'user_id'),
    email: textOf(row, 'email'),
    removedBy: textOf(row, 'removed_by'),
    removedAt: new Date(integerOf(row, 'removed_at')).toISOString(),
    ...(JSON.parse(textOf(row, 'effects')) as DepartureEffects),
  }))
}
