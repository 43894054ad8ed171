import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { Panel } from '../../ui/parts.tsx'
import { type ShareLink, ShareLinkList } from '../share-links.tsx'

type Share = ShareLink & { readonly payload: contract.MandateShare }

/** Public links to a mandate, for its market maker. */
export function MandateLinks({ mandateId }: { mandateId: string }) {
  const { organizationId, role } = useMembership()
  const { change, post, send, fault, isSending } = useChange()
  const shares = useQuery({
    queryKey: [organizationId, 'mandate-shares', 'of', mandateId],
    queryFn: () =>
      read<Share[]>(organizationId, '/mandate-shares', {
        subject: mandateId,
        status: 'ACTIVE',
        limit: 20,
      }),
  })
  const share = () =>
    void change(async () => {
      await post<Share>({
        path: `/market-maker-mandates/${mandateId}/share-links`,
        body: { payload: {}, reason: 'Shared from the console' },
      })
    })
  const revoke = ({ id, resourceVersion }: Share) =>
    void change(async () => {
      await send<Share>({
        method: 'POST',
        path: `/mandate-shares/${id}/revoke`,
        ifMatch: resourceVersion,
        body: { reason: 'Revoked from the console' },
      })
    })
  const disabledReason = permissionReason(role, 'operate') ?? (isSending ? 'Saving…' : null)
  return (
    <Panel
      title="Link for the market maker"
      actions={
        <ChangeButton isSmall icon="share-2" disabledReason={disabledReason} onClick={share}>
          Create link
        </ChangeButton>
      }
    >
      {shares.error ? <Fault error={shares.error} onRetry={() => void shares.refetch()} /> : null}
      {fault === null ? null : <Fault error={fault} />}
      {shares.data?.length ? (
        <ShareLinkList shares={shares.data} disabledReason={disabledReason} onRevoke={revoke} />
      ) : null}
      <p>
        Anyone with a link sees promises, hours, data gaps and the reasons of exclusions as written,
        without signing in. New links work for 30 days. Loan coverage, pay and wallets stay hidden.
      </p>
    </Panel>
  )
}
