import type { contract } from '@liquidity-os/contract'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { TextField } from '../../forms/fields.tsx'
import formStyles from '../../forms/form.module.css'
import { Button, ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { CopyButton } from '../../ui/parts.tsx'
import ui from '../../ui/ui.module.css'
import { saveText } from '../csv.ts'
import styles from '../pages.module.css'
import { safeTypedData, signatureIn } from './safe-typed-data.ts'

type Packet = contract.ProposalWorkspace['packets'][number]

interface Sending {
  readonly id: string
  readonly version: string
  readonly action: contract.ProposalWorkspace['action']
  readonly packet: Packet
}

const fileName = 'safe-typed-data.json'
const command = `cast wallet sign --data --from-file ${fileName} --ledger`

/**
 * Puts a packet into the queue of the Safe with the signature of an owner, who signs outside the
 * console. The console connects no wallet.
 */
export function SendToSafe({ id, version, action, packet }: Sending) {
  const { role } = useMembership()
  const fieldId = useId()
  const { change, send, fault, isSending } = useChange()
  const [text, setText] = useState('')
  const { safeTx, hashes, packetIndex } = packet
  const signature = signatureIn(text)
  const download = () => {
    const typedData = safeTypedData(action.chainId, action.safeAddress, safeTx, hashes.nonce)
    saveText(fileName, JSON.stringify(typedData, null, 2), 'application/json')
  }
  const queue = () =>
    void change(async () => {
      await send({
        method: 'POST',
        path: `/proposals/${id}/safe-proposals`,
        ifMatch: version,
        body: { packetIndex, signature, reason: 'Sent from the console' },
      })
    })
  const disabledReason =
    permissionReason(role, 'operate') ??
    (isSending ? 'Sending…' : signature === null ? 'Enter a signature of 65 bytes.' : null)
  return (
    <div className={`${formStyles.form} ${styles.spaced}`}>
      <ol className={styles.calls}>
        <li>
          <p>Download the transaction. An owner or a registered delegate signs it.</p>
          <Button icon="download" onClick={download}>
            Typed data (EIP-712)
          </Button>
        </li>
        <li>
          <p>Sign it with the wallet of the owner, for example with a Ledger and Foundry.</p>
          <div className={ui.row}>
            <code className={styles.command}>{command}</code>
            <CopyButton text={command} name="command" />
          </div>
        </li>
        <li>
          <TextField
            label="Signature"
            value={text}
            help="The service finds the signer and compares it with the owners of the Safe."
            onChange={setText}
          />
          <div className={formStyles.field}>
            <label htmlFor={fieldId}>Or choose a file with the signature</label>
            <input
              id={fieldId}
              type="file"
              onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
            />
          </div>
        </li>
      </ol>
      <div className={styles.actions}>
        <ChangeButton
          look={signature === null ? 'plain' : 'primary'}
          disabledReason={disabledReason}
          onClick={queue}
        >
          Send to Safe{'{Wallet}'}
        </ChangeButton>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </div>
  )
}
