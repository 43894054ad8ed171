import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import { declareFamily, recordQuery } from '../family.ts'
import { scopes } from '../identity.ts'
import { data, operation, record, session } from '../operation.ts'
import { getOperation, listOperation } from '../reading.ts'
import { closed, list, named, oneOf, orNull, Reason, Timestamp } from '../scalars.ts'

export const credentialKinds = ['API_KEY', 'OAUTH_CLIENT'] as const
const CredentialKind = oneOf(
  credentialKinds,
  'A fixed key, or a client that exchanges its secret for tokens.',
)
const GrantedScopes = list(oneOf(scopes, 'A scope of the specification.'), scopes.length, {
  minItems: 1,
  uniqueItems: true,
  description: 'Access scope of the credential; immutable.',
})
const CredentialLabel = Type.String({ minLength: 1, maxLength: 120, description: 'A human name.' })

export const DeveloperCredential = named(
  'DeveloperCredential',
  closed({
    label: CredentialLabel,
    kind: CredentialKind,
    scopes: GrantedScopes,
    selector: Type.String({ description: 'Public part of the secret, to identify the key.' }),
    generation: Type.Integer({ minimum: 1, description: 'Counts the secrets issued, from 1.' }),
    creatorId: Type.String({ description: 'User whose membership the credential requires.' }),
    issuedAt: Timestamp,
    expiresAt: orNull(Timestamp),
  }),
)
export type DeveloperCredential = Static<typeof DeveloperCredential>
export const DeveloperCredentialRecord = versioned('DeveloperCredential', DeveloperCredential)

export const DeveloperCredentialCreate = named(
  'DeveloperCredentialCreate',
  closed({
    label: CredentialLabel,
    kind: CredentialKind,
    scopes: GrantedScopes,
    reason: Reason,
    expiresAt: Type.Optional(Timestamp),
  }),
)

export const IssuedCredential = named(
  'IssuedCredential',
  closed({
    credential: DeveloperCredentialRecord,
    secret: Type.String({ description: 'Secret, shown once; the service stores only its hash.' }),
    secretReturnedOnce: Type.Literal(true),
  }),
)

export type IssuedCredential = Static<typeof IssuedCredential>

export const DeveloperCredentialRevocation = named(
  'DeveloperCredentialRevocation',
  closed({
    status: Type.Literal('REVOKED', { description: 'Final.' }),
    reason: Reason,
  }),
)

const heading = { tag: 'Platform', family: 'Platform, credentials and webhooks' } as const

const developerCredentials = {
  path: '/developer-credentials',
  ...heading,
  one: 'DeveloperCredential',
  record: DeveloperCredentialRecord,
} as const

const moves = { ACTIVE: ['ACTIVE', 'REVOKED'], REVOKED: [] } as const

export const listDeveloperCredentials = listOperation(developerCredentials, {
  id: 'listDeveloperCredentials',
  summary: 'List developer credentials',
  note: 'Never a secret.',
  query: recordQuery(moves),
})

export const createDeveloperCredentials = operation({
  id: 'createDeveloperCredentials',
  method: 'POST',
  path: '/developer-credentials',
  ...heading,
  summary: 'Issue a developer credential',
  description:
    'Body {label, kind: API_KEY|OAUTH_CLIENT, scopes[], reason, expiresAt? (with zone offset)}. Owner or operator, interactive authentication within ten minutes. Data {credential, secret, secretReturnedOnce:true}; the OAuth client id is credential.id. Identical retry: 409 LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED with metadata. The recent-authentication 401 is stored under the key and replayed.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  success: [201],
  statedErrors: [401, 409],
  reauthentication: 'required-and-recorded',
  body: DeveloperCredentialCreate,
  response: data(IssuedCredential),
  errors: [
    'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED',
    'LIQUIDITY_CREDENTIAL_EXPIRY_PAST',
    'LIQUIDITY_CREDENTIAL_SCOPE_EXCEEDS_ROLE',
  ],
  example: {
    body: {
      label: 'Nightly export',
      kind: 'API_KEY',
      scopes: ['studies:read', 'scores:read'],
      reason: 'Export of study results',
    },
  },
})

export const getDeveloperCredentials = getOperation(developerCredentials, {
  id: 'getDeveloperCredentials',
  summary: 'Read one developer credential',
  note: 'Needs membership.',
})

export const supersedeDeveloperCredentials = operation({
  id: 'supersedeDeveloperCredentials',
  method: 'PATCH',
  path: '/developer-credentials/{id}',
  ...heading,
  summary: 'Revoke a developer credential',
  description:
    'Revocation only: {status: REVOKED, reason}; owner or operator; terminal. Tokens of a revoked client are rejected on later requests. Scopes cannot be edited.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [400, 409, 412, 428],
  body: DeveloperCredentialRevocation,
  response: record(DeveloperCredentialRecord),
  errors: ['LIQUIDITY_CREDENTIAL_TERMINAL'],
  example: { body: { status: 'REVOKED', reason: 'No longer used' } },
})

export const rotateDeveloperCredential = operation({
  id: 'rotateDeveloperCredential',
  method: 'POST',
  path: '/developer-credentials/{id}/rotate',
  ...heading,
  summary: 'Rotate the secret of a developer credential',
  description:
    'Body with reason; owner or operator; recent interactive authentication (its 401 is stored and replayed). New secret returned once, data as at creation. An API key changes at once; a client secret changes for later exchanges and issued tokens live on while the client is active. Identical retry: secret-already-returned 409.',
  auth: session,
  permission: 'credentials.manage',
  idempotency: 'key-160',
  precondition: 'required',
  success: [200],
  statedErrors: [401, 409, 412, 428],
  reauthentication: 'required-and-recorded',
  body: closed({ reason: Reason }),
  response: data(IssuedCredential),
  errors: [
    'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED',
    'LIQUIDITY_CREDENTIAL_TERMINAL',
    'LIQUIDITY_CREDENTIAL_EXPIRED',
  ],
  example: { body: { reason: 'Quarterly rotation' } },
})

export const developerCredentialFamily = declareFamily({
  module: 'platform/developer-credentials',
  operations: [
    listDeveloperCredentials,
    createDeveloperCredentials,
    getDeveloperCredentials,
    supersedeDeveloperCredentials,
    rotateDeveloperCredential,
  ],
  type: 'DeveloperCredential',
  prefix: 'credential',
  name: 'service credential',
  plural: 'service credentials',
  payload: DeveloperCredential,
  moves,
  refusals: { terminal: 'LIQUIDITY_CREDENTIAL_TERMINAL' },
  events: ['credential.issued', 'credential.rotated', 'credential.revoked'],
  title: 'payload.label',
  columns: ['payload.kind', 'payload.scopes', 'payload.expiresAt', 'status'],
  ui: {
    page: 'settings/api-keys',
    task: 'API keys',
    icon: 'key',
    summary: 'API keys and OAuth clients.',
    empty: 'Create a credential for API access.',
    head: ['payload.kind', 'payload.expiresAt'],
    actions: {
      createDeveloperCredentials: { label: 'Create credential' },
      supersedeDeveloperCredentials: { label: 'Revoke credential' },
      rotateDeveloperCredential: { label: 'Rotate secret', when: ['ACTIVE'] },
    },
    docs: 'platform',
  },
})
