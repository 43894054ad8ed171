import { type LooseRequest, pathOf } from '@liquidity-os/client/core'
import { useMembership } from '../api/queries.ts'
import { index } from '../declared/families.ts'
import type { OperationFile } from '../declared/types.ts'
import { Copied } from '../ui/parts.tsx'
import styles from './form.module.css'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The request as it will be sent: as JSON, for a shell, and for the client. */
export function ShownRequest({
  operation,
  request,
}: {
  operation: OperationFile
  request: LooseRequest
}) {
  const { organizationId } = useMembership()
  const { body, params = {}, ifMatch } = request
  const json = JSON.stringify(body ?? null, null, 2)
  const address = `${window.location.origin}${index.basePath}${pathOf(operation, params)}`
  const headers = [
    'authorization: Bearer $LIQUIDITY_KEY',
    `x-service-organization-id: ${organizationId}`,
    'content-type: application/json',
    ...(operation.idempotency ? ['idempotency-key: $(uuidgen)'] : []),
    ...(ifMatch ? [`if-match: "${ifMatch}"`] : []),
  ]
  const curl = [
    `curl -X ${operation.method} ${quoted(address)}`,
    ...headers.map((header) => `  -H ${header.includes('$') ? `"${header}"` : quoted(header)}`),
    ...(body === undefined ? [] : [`  -d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n')
  const given = [
    ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
    ...(ifMatch ? [`ifMatch: ${JSON.stringify(ifMatch)}`] : []),
    ...(body === undefined ? [] : [`body: ${json}`]),
  ]
  const client = `await client.${operation.id}({ ${given.join(', ')} })`
  const forms = [
    ['JSON', json],
    ['curl', curl],
    ['Client', client],
  ] as const
  return (
    <details className={styles.more}>
      <summary>Show request</summary>
      {forms.map(([name, text]) => (
        <section key={name} className={styles.request}>
          <h3>
            {name} <Copied text={text} shown="Copy" label={name} />
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <pre className={styles.answer} tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
    </details>
  )
}
