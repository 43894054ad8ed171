import { useMemo } from 'react'
import type { Assets } from '../../../fields/units.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/parts.tsx'
import styles from '../../pages.module.css'
import { NamedAddresses } from '../addresses.tsx'
import { effectsOf } from '../call-effects.ts'
import { CallStep } from '../call-step.tsx'
import type { DescribedCall } from './encode-calls.ts'
import { isUnreadSafeCall, type SafeState } from './proposal-terms.ts'

interface Props {
  /** Calls by Safe transaction; null without complete fields. */
  readonly packets: readonly (readonly DescribedCall[])[] | null
  readonly state: Pick<SafeState, 'chainId' | 'safe' | 'owners' | 'threshold'>
  readonly assetOf: Assets
  /** Shown without calls. */
  readonly pending?: React.ReactNode
  /** Figures above the calls. */
  readonly children?: React.ReactNode
}

/** The effects of the calls in the sentences that reviewers will read. */
export function Preview({ packets, pending, children, ...rest }: Props) {
  const calls = packets?.flat() ?? []
  const text = addressesIn(calls)
  const addresses = useMemo(() => text.split(' ').filter(Boolean), [text])
  const { chainId, safe } = rest.state
  return (
    <Panel title="Effect">
      {packets === null ? (
        (pending ?? <p>Complete the fields above.</p>)
      ) : (
        <NamedAddresses chainId={chainId} safeAddress={safe} addresses={addresses}>
          {children}
          <Effects calls={calls} transactions={packets.length} {...rest} />
        </NamedAddresses>
      )}
    </Panel>
  )
}

function Effects({
  calls,
  transactions,
  state: { safe, owners, threshold },
  assetOf,
}: Pick<Props, 'state' | 'assetOf'> & {
  readonly calls: readonly DescribedCall[]
  readonly transactions: number
}) {
  const effects = effectsOf(
    calls.map(({ decoded }) => decoded),
    { safe, control: { owners, threshold }, assetOf },
  )
  return (
    <>
      <ol className={styles.calls}>
        {calls.map(({ decoded }, index) => {
          const effect = effects[index]
          return effect ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal calls differ by their order only
            <li key={index}>
              <CallStep call={decoded} effect={effect} transaction={null} />
            </li>
          ) : null
        })}
      </ol>
      {calls.some((one) => isUnreadSafeCall(one, safe)) ? (
        <Notice tone="warn" title="This call changes the Safe itself">
          <p>It can change owners, modules and guards. An error can lock the Safe permanently.</p>
        </Notice>
      ) : null}
      <p className={styles.quiet}>
        {transactions > 1 ? `The owners sign ${transactions} transactions, in this order. ` : null}
        The service decodes and simulates the calls when you create the proposal. Funds move only
        after the owners sign.
      </p>
    </>
  )
}

/** Addresses of the calls, in lower case and separated by spaces. */
const addressesIn = (calls: readonly DescribedCall[]): string => {
  const texts = calls.flatMap(({ decoded: { to, arguments: given } }) => [
    to,
    ...(given ?? []).flatMap(({ value }) => String(value).match(/0x[0-9a-fA-F]{40}\b/g) ?? []),
  ])
  return [...new Set(texts.map((one) => one.toLowerCase()))].join(' ')
}
