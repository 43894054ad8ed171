import Type, { type Static } from 'typebox'
import { versioned } from '../envelope.ts'
import {
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Reason,
  RecordId,
  Timestamp,
} from '../scalars.ts'

/** A requested host; whether it can be bound is checked semantically (422). */
export const PartnerHost = Type.String({
  minLength: 1,
  maxLength: 253,
  description:
    'Host name in DNS form: at least two labels of lower-case ASCII letters, digits and hyphens, internationalized labels as A-labels (xn--…). No IP address, wildcard, public suffix or mixed scripts.',
  examples: ['liquidity.partner.example'],
})

export const PartnerDomainChallengeCreate = named(
  'PartnerDomainChallengeCreate',
  closed({ host: PartnerHost }),
)

export const PartnerDomainAnswer = named(
  'PartnerDomainAnswer',
  closed({
    server: Type.String({ maxLength: 253, description: 'Name of the server, or its address.' }),
    address: orNull(
      Type.String({
        maxLength: 64,
        description: 'Queried address; null if the server has no address.',
      }),
    ),
    role: oneOf(
      ['AUTHORITATIVE', 'RECURSIVE'],
      'AUTHORITATIVE: a name server of the zone, queried directly. RECURSIVE: the resolver of the deployment.',
    ),
    name: Type.String({
      maxLength: 253,
      description: 'Queried name of the TXT records.',
    }),
    outcome: oneOf(
      ['PROVEN', 'OTHER_VALUE', 'ABSENT', 'ALIAS', 'WILDCARD', 'SILENT', 'NOT_ASKED'],
      'PROVEN: the exact value is present. OTHER_VALUE: TXT records exist, but none has this value. ABSENT: no TXT record. ALIAS: the name is a CNAME; its target is queried instead. WILDCARD: an undisclosed name also has the value. SILENT: no response, or a refusal. NOT_ASKED: the address is not public.',
    ),
    values: list(
      Type.String({ maxLength: 512, description: 'A TXT record, its strings joined.' }),
      8,
      { description: 'TXT records found, limited to eight records of 512 characters.' },
    ),
    alias: orNull(Type.String({ maxLength: 253, description: 'CNAME target of the name.' })),
    detail: Type.String({ maxLength: 300, description: 'Explanation of the result.' }),
  }),
)
export type PartnerDomainAnswer = Static<typeof PartnerDomainAnswer>

export const PartnerDomainCheck = named(
  'PartnerDomainCheck',
  closed({
    at: Timestamp,
    verdict: oneOf(
      ['PROVEN', 'NOT_PROVEN', 'SPLIT', 'UNANSWERED'],
      'PROVEN: at least one authoritative server responded, and all that responded have the value. NOT_PROVEN: no server has it. SPLIT: some have it. UNANSWERED: no authoritative server responded.',
    ),
    zone: orNull(
      Type.String({
        maxLength: 253,
        description: 'Zone of the name; null if not found.',
      }),
    ),
    answers: list(PartnerDomainAnswer, 64),
  }),
)
export type PartnerDomainCheck = Static<typeof PartnerDomainCheck>

export const PartnerDomainChallenge = named(
  'PartnerDomainChallenge',
  closed({
    host: PartnerHost,
    displayHost: Type.String({
      maxLength: 253,
      description: 'Display form of the host, in its Unicode script.',
    }),
    recordName: Type.String({
      maxLength: 320,
      description:
        'Name of the TXT record. Labels with an underscore are not hosts; the first label identifies the organization.',
    }),
    recordValue: Type.String({
      maxLength: 120,
      description: 'Exact content of the TXT record: a token of 256 random bits.',
    }),
    routingPath: Type.String({
      maxLength: 200,
      description: 'Path on the host that reaches the deployment after its traffic is routed here.',
    }),
    routingValue: Type.String({
      maxLength: 64,
      description: 'Response at this path; it proves that the host routes to this deployment.',
    }),
    issuedAt: Timestamp,
    expiresAt: Timestamp,
    observations: list(PartnerDomainCheck, 8, {
      description: 'Checks that moved the challenge or its count of failures, newest first.',
    }),
    binding: orNull(
      closed({
        boundAt: Timestamp,
        provisionedAt: orNull(Timestamp),
      }),
    ),
    failing: orNull(
      closed({
        since: Timestamp,
        checks: Type.Integer({
          minimum: 1,
          description: 'Rechecks in a row that did not prove it.',
        }),
      }),
    ),
  }),
)
export type PartnerDomainChallenge = Static<typeof PartnerDomainChallenge>
export const PartnerDomainChallengeRecord = versioned(
  'PartnerDomainChallenge',
  PartnerDomainChallenge,
)

const ReviewedHash = Type.Optional(Hash)

export const PartnerDomainCommand = named(
  'PartnerDomainCommand',
  closed({ reason: Reason, resourceVersion: ReviewedHash }),
)

export const PartnerDomainRouting = named(
  'PartnerDomainRouting',
  closed({
    leadsHere: Type.Boolean({
      description: 'True if every address of the host belongs to the ingress.',
    }),
    addresses: list(Type.String({ maxLength: 64, description: 'Address of the host.' }), 32),
    ingress: list(Type.String({ maxLength: 64, description: 'Address of the ingress.' }), 32, {
      description: 'Ingress for partner hosts, from PARTNER_INGRESS or the base URL.',
    }),
    answersHere: Type.Boolean({
      description: 'True if https://host returned the routing value over valid TLS.',
    }),
    detail: Type.String({ maxLength: 300, description: 'Explanation of the finding.' }),
  }),
)
export type PartnerDomainRouting = Static<typeof PartnerDomainRouting>

export const PartnerDomainStatus = named(
  'PartnerDomainStatus',
  closed({
    challengeId: RecordId,
    resourceVersion: Hash,
    host: PartnerHost,
    status: oneOf(
      ['DRAFT', 'VALIDATED', 'ACTIVE', 'PAUSED', 'REVOKED', 'EXPIRED'],
      'State of the challenge; EXPIRED as soon as its time ends, also before the sweep writes it.',
    ),
    check: PartnerDomainCheck,
    routing: PartnerDomainRouting,
    nextCheckBy: orNull(Timestamp),
    failing: PartnerDomainChallenge.properties.failing,
    isRecorded: Type.Literal(false, { description: 'Always false: the check changes no data.' }),
  }),
)
export type PartnerDomainStatus = Static<typeof PartnerDomainStatus>
