import { exactDecimal, shortDecimal } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import styles from './arm-intervals.module.css'
import { type ArmRow, scaleOf } from './estimates.ts'

const height = 14

/**
 * Means over paths with intervals per arm on one axis, in the quote token. Paler bars above show
 * earlier estimates.
 */
export function ArmIntervals({ rows, label }: { rows: readonly ArmRow[]; label: string }) {
  const decimals = useUnits().quote?.decimals ?? 0
  const at = scaleOf(rows.flatMap(({ mean, interval }) => [mean, ...(interval ?? [])]))
  const short = (atoms: bigint) => shortDecimal(atoms, decimals, 4)
  return (
    <ul className={styles.arms} aria-label={label}>
      {rows.map(({ armId, label: name, mean, interval, earlier }) => (
        <li key={armId} data-arm={armId}>
          <span>{name}</span>
          <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <line className={styles.zero} x1={at(0n)} x2={at(0n)} y1={0} y2={height} />
            {earlier.map(([low, high], index) => (
              <line
                // biome-ignore lint/suspicious/noArrayIndexKey: two looks may have the same interval
                key={index}
                className={styles.before}
                x1={at(low)}
                x2={at(high)}
                y1={2 + index}
                y2={2 + index}
              />
            ))}
            {interval ? (
              <line
                className={styles.now}
                x1={at(interval[0])}
                x2={at(interval[1])}
                y1={10}
                y2={10}
              />
            ) : null}
            <line className={styles.mean} x1={at(mean)} x2={at(mean)} y1={7} y2={13} />
          </svg>
          <output title={exactDecimal(mean, decimals)}>
            {short(mean)}
            {interval ? ` (${short(interval[0])} to ${short(interval[1])})` : ''}
          </output>
        </li>
      ))}
    </ul>
  )
}
