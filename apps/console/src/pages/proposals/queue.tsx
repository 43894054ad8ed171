import type { contract } from '@liquidity-os/contract'
import type { Item } from '../../api/records.ts'
import { recordTarget } from '../../declared/pages.ts'
import { shortFigure } from '../../fields/figures.ts'
import { shortAddress } from '../../fields/numbers.ts'
import { CompareBox } from '../../ui/compare-box.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { State } from '../../ui/state.tsx'
import type { RowsProps } from '../rows.ts'
import { Row, Table } from '../table.tsx'
import { useChainAssets } from './addresses.tsx'
import { type DecodedCall, effectsOf } from './call-effects.ts'
import { policyResult } from './policy-result.ts'
import { dayText } from './proposal-words.ts'
import { unmeasuredAssets } from './unmeasured-assets.ts'

type Proposal = contract.ProposalWorkspace

const columns = ['What', 'Funds out', 'Approvals', 'Policy', 'Expires']

/** Proposals by what a reviewer decides on. */
export function ProposalQueue({ file, items, chosen, onChoose }: RowsProps) {
  return (
    <Table label="Proposals" columns={columns}>
      {items.map((item) => (
        <QueueRow
          key={item.id}
          file={file}
          item={item}
          isChosen={chosen.includes(String(item.id))}
          onChoose={onChoose}
        />
      ))}
    </Table>
  )
}

function QueueRow({
  file,
  item,
  isChosen,
  onChoose,
}: Pick<RowsProps, 'file' | 'onChoose'> & { item: Item; isChosen: boolean }) {
  const proposal = item.payload as Proposal
  const { title, phase, approvalCount, review, packets } = proposal
  const id = String(item.id)
  return (
    <Row
      title={
        <>
          <CompareBox name={`${title}, ${id}`} isChosen={isChosen} onChoose={() => onChoose(id)} />
          <PageLink to={recordTarget(file.entry, id)}>{title}</PageLink> <State of={phase} />
        </>
      }
      cells={{
        'Funds out': <FundsOut proposal={proposal} />,
        Approvals: `${approvalCount} of ${review.required}`,
        Policy: policyResult(packets)?.short ?? 'No policy',
        Expires: dayText(review.expiresAt),
      }}
    />
  )
}

const unmeasuredNote = 'Payments that the simulation does not show'

function FundsOut({
  proposal: {
    simulation: { effects },
    action,
    packets,
    baselineControl,
  },
}: {
  proposal: Proposal
}) {
  const assetOf = useChainAssets(action.chainId)
  if (effects === null) return <>Unknown</>
  const calls = packets.flatMap(({ decodedCalls }) => decodedCalls as unknown as DecodedCall[])
  const described = effectsOf(calls, {
    safe: action.safeAddress,
    control: baselineControl,
    assetOf,
  })
  const missing = unmeasuredAssets(
    described.flatMap(({ payments }) => payments),
    effects,
  )
  const out = effects.filter(({ delta }) => delta.startsWith('-'))
  if (out.length === 0) return <>{missing.length === 0 ? 'None' : unmeasuredNote}</>
  return (
    <>
      {out
        .map(({ asset: key, delta }) => {
          const asset = assetOf(key)
          const size = BigInt(delta.slice(1))
          return asset
            ? `${shortFigure(size, asset.decimals)} ${asset.symbol}`
            : `${shortFigure(size, 0)} smallest units of ${shortAddress(key)}`
        })
        .concat(missing.length === 0 ? [] : [unmeasuredNote])
        .join(', ')}
    </>
  )
}
