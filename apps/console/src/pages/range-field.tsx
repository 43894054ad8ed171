import { useId } from 'react'
import formStyles from '../forms/form.module.css'
import { Button } from '../ui/button.tsx'
import { labelOfRange, type Range } from './workbench-terms.ts'

const percent = 10_000
const most = { lower: 99, upper: 400 }

/** Two handles: lower and upper distance of the range from the first price. */
export function RangeField({
  name,
  range,
  onChange,
  onRemove,
}: {
  name: string
  range: Range
  onChange: (range: Range) => void
  onRemove: (() => void) | null
}) {
  const id = useId()
  return (
    <fieldset className={formStyles.group}>
      <legend>
        {name}: {labelOfRange(range)}
      </legend>
      <div className={formStyles.members}>
        <div className={formStyles.field}>
          <label htmlFor={`${id}-lower`}>Below the price, %</label>
          <input
            id={`${id}-lower`}
            type="range"
            min={1}
            max={most.lower}
            value={range.lowerPips / percent}
            onChange={({ target }) =>
              onChange({ ...range, lowerPips: Number(target.value) * percent })
            }
          />
        </div>
        <div className={formStyles.field}>
          <label htmlFor={`${id}-upper`}>Above the price, %</label>
          <input
            id={`${id}-upper`}
            type="range"
            min={1}
            max={most.upper}
            value={range.upperPips / percent}
            onChange={({ target }) =>
              onChange({ ...range, upperPips: Number(target.value) * percent })
            }
          />
        </div>
      </div>
      {onRemove ? (
        <Button isSmall icon="x" onClick={onRemove}>
          Remove {name.toLowerCase()}
        </Button>
      ) : null}
    </fieldset>
  )
}
