import type { Item } from '../api/records.ts'
import { valueAt } from '../declared/schema.ts'
import { labelOf, wordOf } from '../fields/meaning.ts'
import { percentOf } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import { Amount, Value } from '../fields/value.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import {
  type AdjustableAllocation,
  allocationDials,
  type Relaxation,
  relaxed,
} from './allocation-dials.ts'
import { Sliders } from './sliders.tsx'
import { Row, Table } from './table.tsx'

interface PlanFigures {
  state: string
  reasons: readonly string[]
  capitalQuote: string
  allocation: readonly {
    optionId: string
    venueId: string
    sharePips: number
    base: string
    quote: string
    valueQuote: string
  }[]
  achieved: readonly { attainmentPips: number }[]
  infeasibility: { relaxation: readonly Relaxation[] } | null
}

/** Allocation request with sliders, and the allocation at the current slider values. */
export function AllocationSliders({ item }: { item: Item }) {
  const units = useUnits()
  return (
    <Sliders<AdjustableAllocation, PlanFigures>
      title="Sensitivity analysis"
      request={valueAt(item, 'payload.request') as AdjustableAllocation}
      familyKey="allocation-plans"
      groupsOf={(requested) => allocationDials(requested, units)}
    >
      {(figures, requestedValue, replace) => (
        <>
          <Placed figures={figures} />
          <LeastChange
            changes={figures.infeasibility?.relaxation ?? []}
            onApply={(changes) => replace(changes.reduce(relaxed, requestedValue))}
          />
        </>
      )}
    </Sliders>
  )
}

function Placed({
  figures: { state, reasons, capitalQuote, allocation, achieved },
}: {
  figures: PlanFigures
}) {
  const { base, quote } = useUnits()
  const symbols = [base?.symbol ?? 'Base', quote?.symbol ?? 'Quote'] as const
  const min = achieved.reduce((low, { attainmentPips }) => Math.min(low, attainmentPips), 1e6)
  return (
    <>
      <p>
        {[wordOf(state), ...reasons.map((reason) => wordOf(reason).toLowerCase())].join(', ')}.{' '}
        {achieved.length === 0 ? null : (
          <>
            Required capital: <Amount atoms={capitalQuote} asset={quote} />. Lowest target
            attainment: {percentOf(min)}.
          </>
        )}
      </p>
      {allocation.length === 0 ? null : (
        <Table label="Allocation by option" columns={['Option', 'Share', ...symbols, 'Value']}>
          {allocation.map((one, index) => (
            <Row
              // biome-ignore lint/suspicious/noArrayIndexKey: an option may hold several ranges, in their order
              key={index}
              title={one.optionId}
              cells={{
                Share: percentOf(one.sharePips),
                [symbols[0]]: <Amount atoms={one.base} asset={base} />,
                [symbols[1]]: <Amount atoms={one.quote} asset={quote} />,
                Value: <Amount atoms={one.valueQuote} asset={quote} />,
              }}
            />
          ))}
        </Table>
      )}
    </>
  )
}

function LeastChange({
  changes,
  onApply,
}: {
  changes: readonly Relaxation[]
  onApply: (changes: readonly Relaxation[]) => void
}) {
  if (changes.length === 0) return null
  return (
    <Notice tone="warn" title="The targets cannot be met. Smallest change that meets them:">
      <ul>
        {changes.map(({ constraint, from, to }) => (
          <li key={constraint}>
            {nameOf(constraint)}: <Limit constraint={constraint} value={from} /> to{' '}
            <Limit constraint={constraint} value={to} />
          </li>
        ))}
      </ul>
      <p>
        <Button onClick={() => onApply(changes)}>Apply smallest change</Button>
      </p>
    </Notice>
  )
}

/** Readable form of `targets.0.minQuote`. */
const nameOf = (constraint: string): string =>
  constraint
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : labelOf(part).toLowerCase()))
    .join(' ')

/** A limit value in the unit from its name. */
function Limit({ constraint, value }: { constraint: string; value: string }) {
  const name = constraint.split('.').at(-1) ?? constraint
  const schema = /Pips$|Positions$/.test(name) ? {} : { pattern: '^(0|-?[1-9]\\d*)$' }
  return <Value name={name} value={value} schema={schema} defs={{}} />
}
