import { useId } from 'react'
import formStyles from '../forms/form.module.css'
import type { Dial, DialGroup, Positions } from './dials.ts'
import styles from './sliders.module.css'

export function DialFields({
  groups,
  positions,
  onMove,
}: {
  groups: readonly DialGroup[]
  positions: Positions
  onMove: (path: string, position: number) => void
}) {
  return groups.map(({ name, dials }) => (
    <fieldset key={name} className={formStyles.group}>
      <legend>{name}</legend>
      <div className={formStyles.members}>
        {dials.map((dial) => (
          <DialField
            key={dial.path}
            dial={dial}
            position={positions[dial.path] ?? dial.first}
            onMove={onMove}
          />
        ))}
      </div>
    </fieldset>
  ))
}

function DialField({
  dial: { path, name, least, most, step, format },
  position,
  onMove,
}: {
  dial: Dial
  position: number
  onMove: (path: string, position: number) => void
}) {
  const id = useId()
  return (
    <div className={formStyles.field}>
      <div className={styles.dial}>
        <label htmlFor={id}>{name}</label>
        <output htmlFor={id}>{format(position)}</output>
      </div>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={position}
        aria-valuetext={format(position)}
        onChange={({ target }) => onMove(path, Number(target.value))}
      />
    </div>
  )
}
