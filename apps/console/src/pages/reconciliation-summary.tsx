import type { contract } from '@liquidity-os/contract'
import { useAssets } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { wordOf } from '../fields/meaning.ts'
import { AccountText, Amount } from '../fields/value.tsx'
import { Panel, Scrolled } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

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

/** Each compared line: quantities of ledger, chain and custodian, and the cause of a difference. */
export function ReconciliationSummary({ item }: { item: Item }) {
  const assetOf = useAssets()
  const { lines } = item.payload as contract.TreasuryLedgerReconciliation
  if (lines.length === 0) return null
  return (
    <Panel title="Ledger and chain" isFlush>
      <Scrolled label="Ledger and chain">
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(({ lineKey, assetKey, container, ledger, chain, custody, ...line }) => {
              const asset = assetOf(assetKey)
              const amount = (atoms: string | null) =>
                atoms === null ? '—' : <Amount atoms={atoms} asset={asset} />
              return (
                <tr key={lineKey}>
                  <th scope="row">{asset?.symbol ?? <AccountText text={assetKey} />}</th>
                  <td data-label="Wallet">
                    <AccountText text={container} />
                  </td>
                  <td data-label="Ledger">{amount(ledger)}</td>
                  <td data-label="Chain">{amount(chain)}</td>
                  <td data-label="Custodian">{amount(custody)}</td>
                  <td data-label="Difference">{amount(line.differences.ledgerMinusChain)}</td>
                  <td data-label="Result">
                    <State
                      of={line.cause === 'AGREED' ? 'MET' : 'WARNING'}
                      text={wordOf(line.cause)}
                    />
                  </td>
                  <td data-label="Open for">{line.ageDays === null ? '—' : `${line.ageDays} d`}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}
