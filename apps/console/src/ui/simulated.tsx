import {
  type SimulatedMarket,
  simulatedMarketOf,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import { useMemo } from 'react'
import { Icon } from './icons.tsx'
import styles from './ui.module.css'

/** The mark of a record by the chains that it or the market it is about names; null on a main network. */
export const simulatedOf = (record: unknown, market?: unknown): SimulatedMarket | null =>
  simulatedMarketOf(testNetworksIn(JSON.stringify([record, market])))

/** That a record rests on a local or test chain. In lists the mark alone is shown, and the words on pointing. */
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
