import { canonicalize } from '@liquidity-os/evidence/canonical-json'
import { verifyRecordChain } from '@liquidity-os/evidence/chain'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlace } from '../api/queries.ts'
import type { AnyRecord } from '../api/records.ts'
import { ask } from '../api/send.ts'
import { schemaAt } from '../declared/schema.ts'
import type { FamilyFile } from '../declared/types.ts'
import { shortHash } from '../fields/numbers.ts'
import { Value } from '../fields/value.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { Copied, Panel, Scrolled, Skeleton, Time } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import { changesBetween } from './differences.ts'
import styles from './pages.module.css'

/** Pages of versions that are read; a longer history is said to be so. */
const pagesRead = 10

async function readVersions(organizationId: string, file: FamilyFile, record: AnyRecord) {
  const operation = file.versions ? file.operations[file.versions] : undefined
  if (!operation) return { versions: [record], isWhole: record.sequence === 1 }
  const [name = 'id'] = Object.keys(operation.params)
  const versions: AnyRecord[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesRead; page++) {
    const { body } = await ask<{ data: AnyRecord[]; meta: { nextCursor?: string } }>(
      organizationId,
      operation,
      {
        params: { [name]: record.id },
        query: cursor ? { cursor } : {},
      },
    )
    versions.push(...body.data)
    cursor = body.meta.nextCursor
    if (!cursor) break
  }
  return {
    versions: versions.toSorted((a, b) => a.sequence - b.sequence),
    isWhole: cursor === undefined,
  }
}

/** The versions of a record: their chain of hashes computed again here, and what changed from one to the next. */
export function History({ file, record }: { file: FamilyFile; record: AnyRecord }) {
  const { organizationId } = usePlace()
  const [shown, setShown] = useState<number | null>(null)
  const read = useQuery({
    queryKey: [organizationId, file.entry.key, 'versions', record.id, record.resourceVersion],
    queryFn: () => readVersions(organizationId, file, record),
  })
  if (read.error) return <Fault error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const { versions, isWhole } = read.data
  const at = versions.find(({ sequence }) => sequence === shown) ?? versions.at(-1)
  const before = versions.find(({ sequence }) => at && sequence === at.sequence - 1)
  return (
    <div className={styles.stack}>
      <Chain versions={versions} isWhole={isWhole} />
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
    </div>
  )
}

function Chain({ versions, isWhole }: { versions: readonly AnyRecord[]; isWhole: boolean }) {
  const [first, ...others] = versions
  if (!first) return null
  // A chain is walked from its beginning; a version without those before it is proved alone.
  if (!isWhole && first.sequence > 1) {
    return (
      <Notice
        tone="hold"
        title={`Version ${first.sequence} follows ${first.sequence - 1} that the API does not list for this family`}
      >
        <p>
          It names the version before by its hash, <code>{first.previousResourceVersion}</code>.
          Whoever runs the service checks all of them with <code>npx liquidity verify-history</code>
          .
        </p>
      </Notice>
    )
  }
  const verdict = verifyRecordChain(versions.map((version) => canonicalize(version)))
  return verdict.isIntact ? (
    <Notice
      tone="good"
      title={`${versions.length} ${others.length === 0 ? 'version' : 'versions'}: hashes computed again in this browser, all equal`}
    >
      {isWhole ? null : <p>Later versions are not shown; there are more than are read here.</p>}
    </Notice>
  ) : (
    <Notice tone="bad" title={`The chain breaks at version ${verdict.break.sequence ?? '?'}`}>
      <p>
        {verdict.break.member} should be {String(verdict.break.expected)} and is{' '}
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
    <Panel title={`What changed from ${before.sequence} to ${after.sequence}`} isFlush>
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
