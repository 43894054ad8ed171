import { decimalOf } from '@liquidity-os/drawing/numbers'
import { useState } from 'react'
import styles from './exact.module.css'
import { shortFigure } from './figures.ts'
import { exactDecimal } from './numbers.ts'

/**
 * A figure with six significant digits. Pointing at it or focusing it shows all digits; pressing it
 * copies them.
 *
 * @param isBound true for a lower bound.
 * @param isBare true if the page states the unit next to it.
 * @param note sentence after the digits
 */
export function Exact({
  atoms,
  decimals,
  unit,
  isBound = false,
  isBare = false,
  note,
}: {
  atoms: string
  decimals: number
  unit: string
  isBound?: boolean
  isBare?: boolean
  note?: string | undefined
}) {
  const [isCopied, setCopied] = useState(false)
  const value = BigInt(atoms)
  const digits = `${exactDecimal(value, decimals)} ${unit}`
  const label = note === undefined ? digits : `${digits}. ${note}`
  return (
    <button
      type="button"
      className={styles.exact}
      title={label}
      data-copied={isCopied}
      onClick={() => {
        void navigator.clipboard?.writeText(decimalOf(value, decimals)).then(() => setCopied(true))
      }}
      onBlur={() => setCopied(false)}
    >
      {isBound ? '≥ ' : ''}
      {shortFigure(value, decimals)}
      {isBare ? null : <span className={styles.unit}> {unit}</span>}
      <span className={styles.digits} aria-hidden="true">
        {isCopied ? 'Copied' : label}
      </span>
    </button>
  )
}

/** A missing figure with its reason. */
export function Missing({ reason }: { reason: string }) {
  return (
    <span className={styles.absent} title={reason}>
      —<span className="visually-hidden"> {reason}</span>
    </span>
  )
}
