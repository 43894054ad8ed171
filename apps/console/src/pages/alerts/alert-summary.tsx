import type { contract } from '@liquidity-os/contract'
import type { ReactNode } from 'react'
import { useSymbols } from '../../api/queries.ts'
import type { Item } from '../../api/records.ts'
import { familyOfId } from '../../declared/families.ts'
import { recordTarget } from '../../declared/pages.ts'
import { pairName, RecordLink } from '../../fields/value.tsx'
import { PageLink, toPage } from '../../ui/page-link.tsx'
import { Time } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

/** Subject, times and source of an alert. */
export function AlertSummary({ item }: { item: Item }) {
  const symbols = useSymbols()
  const { id, subject, source, openedAt, occurrences, acknowledged, mutedUntil } =
    item as unknown as contract.Alert
  const [, ruleId] = /^THRESHOLD:(alert_rule_[0-9a-f]{32})$/.exec(id) ?? []
  const { pair, venueId } = subject
  // The source of an anomaly has the same long title as its alert.
  const evidence = familyOfId(source.id)
  return (
    <dl className={styles.figures} aria-label="Details">
      {pair === null ? null : (
        <Line name="Market">
          <PageLink to={toPage(`markets/${pair.replaceAll('|', '-').toLowerCase()}`)}>
            {pairName(pair, symbols) ?? 'Market'}
          </PageLink>
        </Line>
      )}
      {venueId === null ? null : (
        <Line name="Venue">
          <RecordLink id={venueId} />
        </Line>
      )}
      {ruleId === undefined ? null : (
        <Line name="Rule">
          <RecordLink id={ruleId} />
        </Line>
      )}
      <Line name="Evidence">
        {evidence === null ? (
          <RecordLink id={source.id} />
        ) : (
          <PageLink to={recordTarget(evidence, source.id)}>View {evidence.one}</PageLink>
        )}
      </Line>
      <Line name="Opened">
        <Time at={openedAt} />
      </Line>
      <Line name="Times seen">{occurrences.toLocaleString('en-US')}</Line>
      <Line name="Acknowledged">
        {acknowledged === null ? 'No' : <Time at={acknowledged.at} />}
      </Line>
      {mutedUntil === null ? null : (
        <Line name="Muted until">
          <Time at={mutedUntil} />
        </Line>
      )}
    </dl>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
