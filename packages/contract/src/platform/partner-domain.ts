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

/** A host as it is asked for; what of it can be bound is judged by meaning (422). */
export const PartnerHost = Type.String({
  minLength: 1,
  maxLength: 253,
  description:
    'Name of a host in the form that the DNS knows: labels of lower-case ASCII letters, digits and hyphens, at least two of them, internationalized ones as A-labels (xn--…). No address, no wildcard, no public suffix, no mixture of scripts.',
  examples: ['liquidity.partner.example'],
})

export const PartnerDomainChallengeCreate = named(
  'PartnerDomainChallengeCreate',
  closed({ host: PartnerHost }),
)

/** What one name server answered about the record of a challenge. */
export const PartnerDomainAnswer = named(
  'PartnerDomainAnswer',
  closed({
    server: Type.String({ maxLength: 253, description: 'Name of the server, or its address.' }),
    address: orNull(
      Type.String({
        maxLength: 64,
        description: 'Address that was asked; null where the server has none.',
      }),
    ),
    role: oneOf(
      ['AUTHORITATIVE', 'RECURSIVE'],
      'AUTHORITATIVE: named by the zone itself, and asked directly. RECURSIVE: the resolver of the deployment.',
    ),
    name: Type.String({
      maxLength: 253,
      description: 'The name whose TXT records were asked for.',
    }),
    outcome: oneOf(
      ['PROVEN', 'OTHER_VALUE', 'ABSENT', 'ALIAS', 'WILDCARD', 'SILENT', 'NOT_ASKED'],
      'PROVEN: the exact value is there. OTHER_VALUE: there are TXT records, and none is this value. ABSENT: there is none. ALIAS: the name is another one (CNAME), which is asked in its place. WILDCARD: the value is also at a name that nobody was told of. SILENT: no answer, or a refusal. NOT_ASKED: its address is not public.',
    ),
    values: list(
      Type.String({ maxLength: 512, description: 'A TXT record, its strings joined.' }),
      8,
      { description: 'What was seen, cut to eight records of 512 characters.' },
    ),
    alias: orNull(Type.String({ maxLength: 253, description: 'What the name is an alias of.' })),
    detail: Type.String({ maxLength: 300, description: 'The same in words.' }),
  }),
)
export type PartnerDomainAnswer = Static<typeof PartnerDomainAnswer>

export const PartnerDomainCheck = named(
  'PartnerDomainCheck',
  closed({
    at: Timestamp,
    verdict: oneOf(
      ['PROVEN', 'NOT_PROVEN', 'SPLIT', 'UNANSWERED'],
      'PROVEN: at least one authoritative server answered, and all that answered have the value. NOT_PROVEN: none has it. SPLIT: some have it. UNANSWERED: no authoritative server answered.',
    ),
    zone: orNull(
      Type.String({
        maxLength: 253,
        description: 'The zone that holds the name; null: none found.',
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
      description: 'The host as people read it, with its letters in their own script.',
    }),
    recordName: Type.String({
      maxLength: 320,
      description:
        'Where the TXT record is to be: labels with an underscore are no hosts, and the first one keeps organizations apart.',
    }),
    recordValue: Type.String({
      maxLength: 120,
      description: 'What the TXT record is to say, to the letter: a token of 256 random bits.',
    }),
    routingPath: Type.String({
      maxLength: 200,
      description: 'Where the deployment answers on the host once its requests are led here.',
    }),
    routingValue: Type.String({
      maxLength: 64,
      description: 'What it answers there: that the host leads to this deployment.',
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
      description: 'Whether every address of the host is of the ingress.',
    }),
    addresses: list(Type.String({ maxLength: 64, description: 'Address of the host.' }), 32),
    ingress: list(Type.String({ maxLength: 64, description: 'Address of the ingress.' }), 32, {
      description: 'Where hosts of partners are to lead, as PARTNER_INGRESS or the base URL says.',
    }),
    answersHere: Type.Boolean({
      description: 'Whether https://host answered with the routing value, over TLS that verifies.',
    }),
    detail: Type.String({ maxLength: 300, description: 'What was seen, in words.' }),
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
      'State of the challenge; EXPIRED also where its time is over and no sweep has written it yet.',
    ),
    check: PartnerDomainCheck,
    routing: PartnerDomainRouting,
    nextCheckBy: orNull(Timestamp),
    failing: PartnerDomainChallenge.properties.failing,
    isRecorded: Type.Literal(false, { description: 'Nothing was changed by looking.' }),
  }),
)
export type PartnerDomainStatus = Static<typeof PartnerDomainStatus>
