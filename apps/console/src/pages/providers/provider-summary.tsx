import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import type { Item } from '../../api/records.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { valueAt } from '../../declared/schema.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList } from '../../ui/page-link.tsx'
import { Panel, Skeleton, Time } from '../../ui/parts.tsx'
import { State } from '../../ui/state.tsx'
import { HistoryChart } from '../market-history.tsx'
import styles from '../pages.module.css'
import { callsChart } from './node-chart.ts'
import {
  capabilityLines,
  configuredLimits,
  depthLines,
  lastErrorText,
  learnedLimits,
  type NodeHealth,
  nodeStates,
} from './node-texts.ts'
import { nodeHealthQuery } from './nodes.ts'

/** Health, calls, learned limits and capabilities of an RPC node; nothing for other providers. */
export function ProviderSummary({ item }: { item: Item }) {
  return valueAt(item, 'payload.kind') === 'CHAIN_RPC' ? <Node item={item} /> : null
}

function Node({ item }: { item: Item }) {
  const { organizationId } = useMembership()
  const health = useQuery(nodeHealthQuery(organizationId, String(item.id)))
  if (health.error) return <Fault error={health.error} onRetry={() => void health.refetch()} />
  if (!health.data) return <Skeleton lines={6} />
  return (
    <>
      <Panel title="Health" actions={<ProbeButton item={item} />}>
        <Facts health={health.data} />
      </Panel>
      <Calls health={health.data} />
      <Limits health={health.data} />
      <Capabilities health={health.data} />
    </>
  )
}

function Facts({ health }: { health: NodeHealth }) {
  const { state, headBlock, headAt, lagBlocks, pausedUntil, lastError, probedAt, calls } = health
  const [label, tone] = nodeStates[state]
  const error = lastErrorText(health)
  return (
    <dl className={styles.figures}>
      <div>
        <dt>State</dt>
        <dd>
          <State of={tone} text={label} />
        </dd>
      </div>
      {headBlock !== null && headAt !== null ? (
        <div>
          <dt>Finalized block</dt>
          <dd>
            #{headBlock.toLocaleString('en-US')}, <Time at={headAt} isAge />
            {lagBlocks ? `, ${lagBlocks.toLocaleString('en-US')} blocks behind` : ''}
          </dd>
        </div>
      ) : null}
      {calls.p95Ms === null ? null : (
        <div>
          <dt>95 % of calls within</dt>
          <dd>{calls.p95Ms.toLocaleString('en-US')} ms</dd>
        </div>
      )}
      {pausedUntil === null ? null : (
        <div>
          <dt>Paused until</dt>
          <dd>
            <Time at={pausedUntil} />
          </dd>
        </div>
      )}
      {probedAt === null ? null : (
        <div>
          <dt>Last probe</dt>
          <dd>
            <Time at={probedAt} isAge />
          </dd>
        </div>
      )}
      {lastError === null ? null : (
        <div>
          <dt>Last error</dt>
          <dd>
            {error} <Time at={lastError.at} isAge />
            {lastError.providerText ? <small> “{lastError.providerText}”</small> : null}
          </dd>
        </div>
      )}
    </dl>
  )
}

function Calls({ health }: { health: NodeHealth }) {
  const chart = useMemo(() => callsChart(health), [health])
  return (
    <Panel title="Calls today">
      <div className={styles.pictures}>
        <HistoryChart chart={chart} />
      </div>
    </Panel>
  )
}

function Limits({ health }: { health: NodeHealth }) {
  const learned = learnedLimits(health)
  return (
    <Panel title="Learned limits">
      {configuredLimits(health).map(({ name, text }) => (
        <p key={name}>{text}</p>
      ))}
      {learned.length === 0 ? (
        <p>No limits learned. The service learns them from refused calls.</p>
      ) : (
        <ul className={styles.lines}>
          {learned.map(({ name, text, learnedAt }) => (
            <li key={name}>
              <span>
                {text}{' '}
                <small>
                  Learned <Time at={learnedAt} isAge />
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Capabilities({ health }: { health: NodeHealth }) {
  const lines = capabilityLines(health)
  return (
    <Panel title="Capabilities">
      {lines.length === 0 ? (
        <p>Not probed yet.</p>
      ) : (
        <ul className={styles.lines}>
          {lines.map(({ name, isServed, text }) => (
            <li key={name}>
              <State of={isServed ? 'MET' : 'INFO'} text={text} />
            </li>
          ))}
          {depthLines(health).map(({ name, text }) => (
            <li key={name}>
              <State of="INFO" text={text} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Queues a probe; the jobs page shows its result. */
function ProbeButton({ item }: { item: Item }) {
  const { role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const [isQueued, setQueued] = useState(false)
  const isActive = item.status === 'ACTIVE'
  const disabledReason =
    permissionReason(role, 'operate') ??
    (isActive ? null : 'Activate the provider first.') ??
    (isSending ? 'Sending…' : null)
  const probe = () =>
    void change(async () => {
      setQueued(false)
      await post({ path: `/providers/${item.id}/probes`, body: { reason: 'Probe in the console' } })
      setQueued(true)
    })
  return (
    <>
      <ChangeButton isSmall disabledReason={disabledReason} onClick={probe}>
        Probe this node
      </ChangeButton>
      {isQueued ? (
        <p role="status">
          Probe queued. <PageLink to={toList('jobs')}>View jobs</PageLink>
        </p>
      ) : null}
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}
