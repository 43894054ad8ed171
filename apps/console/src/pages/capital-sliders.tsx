import { useCurrentSources } from '../api/current-sources.ts'
import type { Item } from '../api/records.ts'
import { valueAt } from '../declared/schema.ts'
import { type Asset, useUnits } from '../fields/units.tsx'
import { Amount } from '../fields/value.tsx'
import { Notice } from '../ui/notice.tsx'
import { Scrolled } from '../ui/parts.tsx'
import { type CapitalRequest, capitalDials } from './capital-dials.ts'
import styles from './pages.module.css'
import { Sliders } from './sliders.tsx'

interface Inventory {
  token: string
  quote: string
}
interface CapitalFigures {
  base: Inventory | null
  buffer: Inventory | null
  total: Inventory | null
  gap: Inventory | null
  computation: { gaps: readonly { code: string; detail: string }[] }
}

/** Capital study request with sliders, and the capital required at the current slider values. */
export function CapitalSliders({ item }: { item: Item }) {
  const units = useUnits()
  const request = useCurrentSources(valueAt(item, 'payload.request') as CapitalRequest)
  return (
    <Sliders<CapitalRequest, CapitalFigures>
      title="Sensitivity analysis"
      request={request}
      familyKey="capital-requirements"
      groupsOf={(requested) => capitalDials(requested, units)}
    >
      {(figures) => <RequiredCapital figures={figures} stored={item.payload as CapitalFigures} />}
    </Sliders>
  )
}

const rows: readonly { name: string; of: (figures: CapitalFigures) => Inventory | null }[] = [
  { name: 'Target depth', of: ({ base }) => base },
  { name: 'Buffer', of: ({ buffer }) => buffer },
  { name: 'Total', of: ({ total }) => total },
  { name: 'Shortfall vs ledger', of: ({ gap }) => gap },
]

function RequiredCapital({ figures, stored }: { figures: CapitalFigures; stored: CapitalFigures }) {
  const { base, quote } = useUnits()
  const dataGaps = figures.computation.gaps
  return (
    <>
      <Scrolled label="Required capital">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Component</th>
              <th scope="col">{base?.symbol ?? 'Token'}</th>
              <th scope="col">{quote?.symbol ?? 'Quote'}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, of }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td data-label={base?.symbol ?? 'Token'}>
                  <Side now={of(figures)?.token} then={of(stored)?.token} asset={base} />
                </td>
                <td data-label={quote?.symbol ?? 'Quote'}>
                  <Side now={of(figures)?.quote} then={of(stored)?.quote} asset={quote} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {dataGaps.length === 0 ? null : (
        <Notice tone="hold" title="Data gaps and bounds">
          <ul>
            {dataGaps.map(({ code, detail }) => (
              <li key={code}>{detail}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

/** The current amount, and the recorded amount if it differs. */
function Side({
  now,
  then,
  asset,
}: {
  now: string | undefined
  then: string | undefined
  asset: Asset | null
}) {
  if (now === undefined) return <>—</>
  return (
    <>
      <Amount atoms={now} asset={asset} />
      {then === undefined || then === now ? null : (
        <small>
          {' '}
          was <Amount atoms={then} asset={asset} />
        </small>
      )}
    </>
  )
}
