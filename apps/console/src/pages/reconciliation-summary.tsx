import type { contract } from '@liquidity-os/contract'
import { useAssets } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { wordOf } from '../fields/meaning.ts'
import { percentOf } from '../fields/numbers.ts'
import { AccountText, Amount } from '../fields/value.tsx'
import { Panel } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'
import { breaksFirst, decidingDifference } from './reconciliation-lines.ts'
import { Row, Table } from './table.tsx'

type Reconciliation = contract.TreasuryLedgerReconciliation

const columns = [
  'Asset',
  'Wallet',
  'Ledger',
  'Chain',
  'Custodian',
  'Difference',
  'Result',
  'Open for',
]

const agreementStates: Readonly<Record<Reconciliation['agreement'], string>> = {
  AGREED: 'MET',
  DIFFERENCES: 'WARNING',
  INCOMPLETE: 'INDETERMINATE',
}

/** Agreement and coverage of all lines. */
function Coverage({ agreement, lines, coverage }: Reconciliation) {
  const agreed = lines.filter(({ cause }) => cause === 'AGREED').length
  const facts = [
    [
      'Ledger vs chain',
      <State key="state" of={agreementStates[agreement]} text={wordOf(agreement)} />,
    ],
    ['Lines that agree', `${agreed} of ${lines.length}`],
    ['Lines with custody evidence', percentOf(coverage.custodyOfLinesPips)],
    ['Containers without custody evidence', `${coverage.containersWithoutEvidence.length}`],
  ] as const
  return (
    <dl className={styles.figures} aria-label="Agreement and coverage">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * Each compared line, breaks first: quantities of ledger, chain and custodian, the deciding
 * difference and its cause.
 */
export function ReconciliationSummary({ item }: { item: Item }) {
  const assetOf = useAssets()
  const reconciliation = item.payload as Reconciliation
  const { lines } = reconciliation
  if (lines.length === 0) return null
  return (
    <Panel title="Ledger and chain" isFlush>
      <Coverage {...reconciliation} />
      <Table label="Ledger and chain" columns={columns}>
        {breaksFirst(lines).map(
          ({ lineKey, assetKey, container, ledger, chain, custody, ...line }) => {
            const asset = assetOf(assetKey)
            const deciding = decidingDifference(line)
            const amount = (atoms: string | null) =>
              atoms === null ? '—' : <Amount atoms={atoms} asset={asset} />
            return (
              <Row
                key={lineKey}
                title={asset?.symbol ?? <AccountText text={assetKey} />}
                cells={{
                  Wallet: <AccountText text={container} />,
                  Ledger: amount(ledger),
                  Chain: amount(chain),
                  Custodian: amount(custody),
                  Difference:
                    deciding === null ? (
                      '—'
                    ) : (
                      <>
                        {deciding.atoms === null ? null : amount(deciding.atoms)} {deciding.pair}
                      </>
                    ),
                  Result: (
                    <State
                      of={line.cause === 'AGREED' ? 'MET' : 'WARNING'}
                      text={wordOf(line.cause)}
                    />
                  ),
                  'Open for': line.ageDays === null ? '—' : `${line.ageDays} d`,
                }}
              />
            )
          },
        )}
      </Table>
    </Panel>
  )
}
