import Type from 'typebox'
import { oneOf } from './scalars.ts'

export const csvMediaType = 'text/csv'
export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Query members that set the form of a CSV file. */
export const csvQuery = {
  bom: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      description: 'CSV: 1 starts the file with a byte order mark, for Excel. Default: 0.',
    }),
  ),
  separator: Type.Optional(
    oneOf(['comma', 'semicolon'], 'CSV: separator of the fields. Default: comma.'),
  ),
  decimal: Type.Optional(oneOf(['point', 'comma'], 'CSV: decimal separator. Default: point.')),
}
