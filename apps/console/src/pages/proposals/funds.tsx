import type { contract } from '@liquidity-os/contract'
import { exactDecimal } from '../../fields/numbers.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from '../pages.module.css'
import { Row, Table } from '../table.tsx'
import { FullAddress, useNamed } from './addresses.tsx'
import type { Payment } from './call-effects.ts'
import { unmeasuredAssets } from './unmeasured-assets.ts'

type Effect = NonNullable<contract.ProposalSimulation['effects']>[number]

const columns = ['Asset', 'Out', 'In', 'To', 'As expected']

/** Simulated changes of the balances of the Safe, and who receives them. */
export function Funds({
  simulation: { effects },
  payments,
}: {
  simulation: contract.ProposalSimulation
  payments: readonly Payment[]
}) {
  if (effects === null) return <p>Funds moved: unknown, because the simulation is incomplete.</p>
  const moved = effects.filter(({ delta }) => delta !== '0')
  const missing = unmeasuredAssets(payments, effects)
  return (
    <>
      {moved.length > 0 ? (
        <Moved moved={moved} payments={payments} />
      ) : missing.length === 0 ? (
        <p>Funds moved: none.</p>
      ) : null}
      {missing.length === 0 ? null : <Unmeasured assets={missing} />}
    </>
  )
}

/** Assets that calls pay, without a change in the simulation. */
function Unmeasured({ assets }: { assets: readonly string[] }) {
  return (
    <Notice tone="warn" title="Some payments are not in the simulated balances">
      <p>The calls pay these assets, but the simulation shows no change. They can be NFTs.</p>
      <ul className={styles.plainList}>
        {assets.map((asset) => (
          <li key={asset}>
            {asset === 'native' ? 'Native coin' : <FullAddress address={asset} />}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Moved({ moved, payments }: { moved: readonly Effect[]; payments: readonly Payment[] }) {
  return (
    <Table label="Balance changes of the Safe" columns={columns}>
      {moved.map((effect) => (
        <FundsRow key={effect.asset} effect={effect} payments={payments} />
      ))}
    </Table>
  )
}

function FundsRow({
  effect: { asset: key, delta, isWithin },
  payments,
}: {
  effect: Effect
  payments: readonly Payment[]
}) {
  const { assetOf } = useNamed()
  const asset = assetOf(key)
  const isOut = delta.startsWith('-')
  const size = BigInt(delta.replace('-', ''))
  const amount = `${exactDecimal(size, asset?.decimals ?? 0)} ${asset?.symbol ?? 'smallest units'}`
  const receivers = [
    ...new Set(
      payments
        .filter((payment) => payment.asset.toLowerCase() === key.toLowerCase())
        .map(({ to }) => to),
    ),
  ]
  return (
    <Row
      title={asset?.symbol ?? <FullAddress address={key} />}
      figures={['Out', 'In']}
      cells={{
        Out: isOut ? amount : '—',
        In: isOut ? '—' : amount,
        To: isOut
          ? receivers.length === 0
            ? 'the called contracts'
            : receivers.map((address) => <FullAddress key={address} address={address} />)
          : 'this Safe',
        'As expected': isWithin === null ? 'not declared' : isWithin ? 'yes' : 'no',
      }}
    />
  )
}
