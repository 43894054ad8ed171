import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Schedule } from '../family-parts.ts'
import { limits } from '../limits.ts'
import type { Services } from '../services.ts'
import { type Row, textOf } from '../store/database/row.ts'
import { headsById } from '../store/records/find.ts'
import { type ScheduledSubject, type Setting, settingOf, subjectOf } from './scheduled-subject.ts'

export interface ActiveHead {
  readonly organizationId: string
  readonly id: string
  readonly resourceVersion: string
  /** Null for a setting. */
  readonly schedule: Schedule | null
  readonly row: Row
}

type Fact =
  | { readonly kind: 'SUBJECT'; readonly subject: ScheduledSubject }
  | { readonly kind: 'SETTING'; readonly of: string; readonly setting: Setting }

export interface Facts {
  isRead: (head: ActiveHead) => boolean
  /** Undefined if the record cannot be read. */
  subject: (head: ActiveHead) => ScheduledSubject | undefined
  setting: (organizationId: string, task: string, subjectId: string) => Setting | null
}

/** Reads the records of heads across organizations. */
type FactReading = Pick<Services, 'config' | 'database' | 'log' | 'verified'>

/** Facts read by the last walk over the schedules of all organizations. */
const lastRead = new WeakMap<object, ReadonlyMap<string, Fact>>()

/**
 * Schedule facts from the records of every organization. Reads only bodies of versions that no
 * earlier walk read.
 */
export async function readFacts(
  services: FactReading,
  heads: readonly ActiveHead[],
): Promise<Facts> {
  const known = new Map<string, Fact>()
  const unknown: ActiveHead[] = []
  for (const head of heads) {
    const fact = lastRead.get(services)?.get(keyOf(head))
    if (fact) known.set(keyOf(head), fact)
    else unknown.push(head)
  }
  for (const [key, fact] of await read(services, unknown)) known.set(key, fact)
  lastRead.set(services, known)
  const settings = new Map<string, Setting>()
  for (const head of heads) {
    const fact = known.get(keyOf(head))
    if (fact?.kind === 'SETTING') {
      settings.set(`${head.organizationId} ${fact.of}`, fact.setting)
    }
  }
  return {
    isRead: (head) => known.has(keyOf(head)),
    subject: (head) => {
      const fact = known.get(keyOf(head))
      return fact?.kind === 'SUBJECT' ? fact.subject : undefined
    },
    setting: (organizationId, task, subjectId) =>
      settings.get(`${organizationId} ${task}:${subjectId}`) ?? null,
  }
}

const keyOf = ({ organizationId, id, resourceVersion, schedule }: ActiveHead) =>
  [organizationId, ...(schedule ? [schedule.task] : []), id, resourceVersion].join(' ')

/** Reads the records of heads, some organizations at a time. */
async function read(
  services: FactReading,
  heads: readonly ActiveHead[],
): Promise<Map<string, Fact>> {
  const { database, verified, log } = services
  const facts = new Map<string, Fact>()
  const byOrganization = [...Map.groupBy(heads, ({ organizationId }) => organizationId)]
  for (let next = 0; next < byOrganization.length; next += limits.sweptOrganizations) {
    const group = byOrganization.slice(next, next + limits.sweptOrganizations)
    const answers = await database.tenants(
      group.map(([organizationId, some]) => ({
        organizationId,
        statements: [headsById(organizationId, [...new Set(some.map(({ id }) => id))])],
      })),
    )
    for (const [index, [organizationId, some]] of group.entries()) {
      const rows = new Map((answers[index]?.[0] ?? []).map((row) => [textOf(row, 'id'), row]))
      for (const head of some) {
        const row = rows.get(head.id)
        // A newer version exists; the next walk reads it.
        if (row?.resource_version !== head.resourceVersion) continue
        try {
          const record = JSON.parse(verified.check(row, organizationId)) as VersionedRecord
          facts.set(keyOf(head), factOf(services, head, record))
        } catch (error) {
          log.warn(
            { err: error, organizationId, id: head.id },
            'Could not read a scheduled record.',
          )
        }
      }
    }
  }
  return facts
}

function factOf(
  { config }: Pick<Services, 'config'>,
  { schedule }: ActiveHead,
  record: VersionedRecord,
): Fact {
  if (schedule) return { kind: 'SUBJECT', subject: subjectOf(schedule, record, config) }
  const made = record as VersionedRecord<contract.ScheduleSetting>
  const { task, subject } = made.payload
  return { kind: 'SETTING', of: `${task}:${subject.id}`, setting: settingOf(made) }
}
