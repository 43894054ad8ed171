import { canonicalize } from '@liquidity-os/evidence/canonical-json'
import { verifyRecordChain } from '@liquidity-os/evidence/chain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership } from '../api/queries.ts'
import type { AnyRecord } from '../api/records.ts'
import { ask } from '../api/send.ts'
import { schemaAt } from '../declared/schema.ts'
import type { FamilyFile } from '../declared/types.ts'
import { wordOf } from '../fields/meaning.ts'
import { shortHash } from '../fields/numbers.ts'
import { Value } from '../fields/value.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { Copied, Panel, Scrolled, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import { changesBetween } from './differences.ts'
import styles from './pages.module.css'

/** Maximum API pages to load; the UI states if the history is longer. */
const maxPages = 10

interface Event {
  id: string
  sequence: number
  kind: string
  occurredAt: string
  evidenceHash: string
  previousEventHash: string | null
  actor: { kind: string; id: string }
  payload: Record<string, unknown>
}

/** Loads versions or events, oldest first. `isComplete` is true if none are left. */
async function readChain<One extends { sequence: number }>(
  organizationId: string,
  id: string,
  what: 'versions' | 'events',
): Promise<{ found: One[]; isComplete: boolean }> {
  const path = `/records/${encodeURIComponent(id)}/${what}`
  const found: One[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { body } = await ask<{ data: One[]; meta: { nextCursor?: string } }>(
      organizationId,
      { id: path, method: 'GET', path },
      { query: cursor ? { cursor, limit: 100 } : { limit: 100 } },
    )
    found.push(...body.data)
    cursor = body.meta.nextCursor
    if (!cursor) break
  }
  return {
    found: found.toSorted((a, b) => a.sequence - b.sequence),
    isComplete: cursor === undefined,
  }
}

/** Versions of a record. Recomputes their hash chain and shows the changes between versions. */
export function History({ file, record }: { file: FamilyFile; record: AnyRecord }) {
  const { organizationId } = useMembership()
  const [shown, setShown] = useState<number | null>(null)
  const read = useQuery({
    queryKey: [organizationId, file.entry.key, 'versions', record.id, record.resourceVersion],
    queryFn: () => readChain<AnyRecord>(organizationId, record.id, 'versions'),
  })
  if (read.error) return <Fault error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const { found: versions, isComplete } = read.data
  const at = versions.find(({ sequence }) => sequence === shown) ?? versions.at(-1)
  const before = versions.find(({ sequence }) => at && sequence === at.sequence - 1)
  return (
    <div className={styles.stack}>
      <Chain versions={versions} isComplete={isComplete} />
      <Panel title="Versions" isFlush>
        <ol className={styles.versions}>
          {versions.toReversed().map((version) => (
            <li key={version.sequence}>
              <button
                type="button"
                aria-pressed={version === at}
                onClick={() => setShown(version.sequence)}
              >
                <strong>{version.sequence}</strong>
                <State of={version.status} />
                <span>{version.reason}</span>
                <Time at={version.createdAt} />
              </button>
              <Copied
                text={version.resourceVersion}
                shown={shortHash(version.resourceVersion)}
                label="Version hash"
              />
            </li>
          ))}
        </ol>
      </Panel>
      {at && before ? <Changes file={file} before={before} after={at} /> : null}
      <Events record={record} />
    </div>
  )
}

/** Events of the record, newest first, each chained to the previous one. */
function Events({ record }: { record: AnyRecord }) {
  const { organizationId } = useMembership()
  const read = useQuery({
    queryKey: [organizationId, 'events', record.id, record.resourceVersion],
    queryFn: () => readChain<Event>(organizationId, record.id, 'events'),
  })
  if (read.error) return <Fault error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const { found: events, isComplete } = read.data
  const isChained = events.every(
    (event, index) => index === 0 || event.previousEventHash === events[index - 1]?.evidenceHash,
  )
  return (
    <Panel title={isComplete ? 'Events' : `Latest ${events.length} events`} isFlush>
      {isChained ? null : (
        <Notice tone="bad" title="The event chain is broken">
          <p>The operator can locate the break: npx liquidity verify-history.</p>
        </Notice>
      )}
      <Scrolled label="Events">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Time</th>
              <th scope="col">By</th>
              <th scope="col">Hash</th>
            </tr>
          </thead>
          <tbody>
            {events.toReversed().map((event) => (
              <tr key={event.id}>
                <th scope="row">
                  {event.sequence} {eventWords(event.kind)}
                </th>
                <td data-label="Time">
                  <Time at={event.occurredAt} />
                </td>
                <td data-label="By">
                  {wordOf(event.actor.kind)}{' '}
                  <Copied text={event.actor.id} shown={shortHash(event.actor.id)} label="Actor" />
                </td>
                <td data-label="Hash">
                  <Copied
                    text={event.evidenceHash}
                    shown={shortHash(event.evidenceHash)}
                    label="Event hash"
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}

/** Readable form of `incentive_program.funds_spent`. */
const eventWords = (kind: string) => kind.replaceAll('_', ' ').replaceAll('.', ' ')

function Chain({ versions, isComplete }: { versions: readonly AnyRecord[]; isComplete: boolean }) {
  const [first, ...others] = versions
  if (!first) return null
  // A chain is verified from its start. A version without its predecessors is verified alone.
  if (!isComplete && first.sequence > 1) {
    return (
      <Notice tone="hold" title={`Incomplete history: version ${first.sequence - 1} is not loaded`}>
        <p>
          Hash of the previous version: <code>{first.previousResourceVersion}</code>. The operator
          can check all versions: <code>npx liquidity verify-history</code>.
        </p>
      </Notice>
    )
  }
  const verdict = verifyRecordChain(versions.map((version) => canonicalize(version)))
  return verdict.isIntact ? (
    <Notice
      tone="good"
      title={`${versions.length} ${others.length === 0 ? 'version' : 'versions'} verified in this browser: all hashes match`}
    >
      {isComplete ? null : <p>Later versions are not loaded.</p>}
    </Notice>
  ) : (
    <Notice
      tone="bad"
      title={`The version chain is broken at version ${verdict.break.sequence ?? '?'}`}
    >
      <p>
        {verdict.break.member}: expected {String(verdict.break.expected)}, got{' '}
        {String(verdict.break.found)}.
      </p>
    </Notice>
  )
}

function Changes({
  file,
  before,
  after,
}: {
  file: FamilyFile
  before: AnyRecord
  after: AnyRecord
}) {
  const changes = changesBetween(
    { status: before.status, payload: before.payload },
    { status: after.status, payload: after.payload },
  )
  return (
    <Panel title={`Changes from version ${before.sequence} to ${after.sequence}`} isFlush>
      <Scrolled label="Differences">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ path, from, to }) => {
              const name = path.split('.').at(-1) ?? path
              const schema = schemaAt(file.item, path, file.defs)
              return (
                <tr key={path}>
                  <th scope="row">
                    <code>{path}</code>
                  </th>
                  <td data-label="Before">
                    <Value name={name} value={from} schema={schema} defs={file.defs} />
                  </td>
                  <td data-label="After">
                    <Value name={name} value={to} schema={schema} defs={file.defs} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}
