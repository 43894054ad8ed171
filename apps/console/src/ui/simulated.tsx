import {
  type SimulatedMarket,
  simulatedMarketOf,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import { useMemo } from 'react'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

/**
 * The simulated mark of a record, from the chains of the record or of its market; null for mainnet.
 */
export const simulatedOf = (record: unknown, market?: unknown): SimulatedMarket | null =>
  simulatedMarketOf(testNetworksIn(JSON.stringify([record, market])))

/**
 * Mark of a record from a local or test chain. Lists show the mark only, with the text as a
 * tooltip.
 */
export function Simulated({
  of: record,
  market,
  isShort,
}: {
  of: unknown
  market?: unknown
  isShort?: boolean
}) {
  const simulated = useMemo(() => simulatedOf(record, market), [record, market])
  if (simulated === null) return null
  return (
    <span className={`${styles.state} ${styles.warn}`} title={simulated.words}>
      <Icon name="triangle-alert" size={14} />
      <span>{isShort ? simulated.mark : simulated.words}</span>
    </span>
  )
}
