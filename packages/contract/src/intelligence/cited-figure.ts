import Type, { type Static } from 'typebox'
import { closed, list, named, oneOf, RecordId } from '../scalars.ts'

export const CitedFigure = named(
  'CitedFigure',
  closed(
    {
      name: Type.String({ maxLength: 60 }),
      value: Type.String({
        maxLength: 200,
        description: 'Quoted evidence, first 200 characters.',
      }),
      evidenceId: RecordId,
      pointer: Type.String({ maxLength: 200, description: 'Into the sealed content, RFC 6901.' }),
    },
    {
      description:
        'Figure and its location in the evidence; every figure of a report cites evidence.',
    },
  ),
)
export type CitedFigure = Static<typeof CitedFigure>

export const findingOf = <const Code extends string>(codes: readonly Code[], description: string) =>
  closed({
    code: oneOf(codes, description),
    severity: oneOf(['INFO', 'ATTENTION', 'CRITICAL'], 'The worst of an area is its verdict.'),
    figures: list(CitedFigure, 8),
  })
