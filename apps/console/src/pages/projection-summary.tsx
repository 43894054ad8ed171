import type { contract } from '@liquidity-os/contract'
import type { Item } from '../api/records.ts'
import { monthsText, runwayEnd } from '../fields/figures.ts'
import { Panel, Scrolled } from '../ui/parts.tsx'
import { cashRunway } from './cash-runway.ts'
import styles from './pages.module.css'

type Projection = contract.TreasuryProjection
type Scenario = Projection['scenarios'][number]
type View = Scenario['runway']['cash']['net']

const viewText = ({ monthsX3, beyondHorizon }: View) =>
  `${beyondHorizon ? 'over ' : ''}${monthsText(monthsX3)} months`

const endText = ({ monthsX3, beyondHorizon }: View, start: number) =>
  beyondHorizon ? 'after the plan' : runwayEnd(start, monthsX3)

/** Runway by scenario, from proven and attested holdings; older projections count all holdings. */
export function ProjectionSummary({ item }: { item: Item }) {
  const { scenarios } = item.payload as Projection
  const start = Date.parse(String(item.createdAt))
  if (scenarios.length === 0) return null
  return (
    <Panel title="Runway" isFlush>
      <Scrolled label="Runway by scenario">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">Runway, cash</th>
              <th scope="col">Runs out</th>
              <th scope="col">Liquid holdings, proven or not</th>
            </tr>
          </thead>
          <tbody>
            {scenarios.map(({ scenarioId, runway, controlledRunway }) => {
              const { net, warning } = cashRunway({ runway, controlledRunway })
              return (
                <tr key={scenarioId}>
                  <th scope="row">{scenarioId}</th>
                  <td data-label="Runway, cash">
                    <strong>{viewText(net)}</strong>
                    {warning === null ? null : <div>{warning}</div>}
                  </td>
                  <td data-label="Runs out">{endText(net, start)}</td>
                  <td data-label="Liquid holdings, proven or not">{viewText(runway.liquid.net)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolled>
    </Panel>
  )
}
