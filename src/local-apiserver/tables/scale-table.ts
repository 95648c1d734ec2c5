import type { ApiObject } from '../../apiserver/objects/api-object.js';
import { numberAt, type Value, type ValueMap } from '../../go/value.js';
import { ageOf, nameCell } from './cell-text.js';
import { type Column, createdDescription, nameDescription } from './columns.js';

/** Reports whether an object is the Scale of another one. */
export function isScale({ codec }: ApiObject): boolean {
  return codec.kind.kind === 'Scale' && codec.kind.group === 'autoscaling';
}

/**
 * Returns the columns of a Scale: that of a custom resource has others than that of a built-in object. Source: kubernetes
 * pkg/printers/internalversion/printers.go, apiextensions-apiserver pkg/apiserver/customresource_handler.go scaleTable.
 */
export function scaleColumns(isCustom: boolean): readonly Column[] {
  const [desired, available] = isCustom
    ? ['Number of desired replicas', 'Number of actual replicas']
    : [
        'replicas is the desired number of instances for the scaled object.',
        'replicas is the actual number of observed instances of the scaled object.',
      ];
  const column = (name: string, type: string, description: string): Column => ({ name, type, format: '', description, priority: 0 });
  return [
    { ...column('Name', 'string', nameDescription), format: isCustom ? 'name' : '' },
    column('Desired', 'integer', desired),
    column('Available', 'integer', available),
    column('Age', isCustom ? 'date' : 'string', createdDescription),
  ];
}

/** Returns the cells of a Scale. */
export function scaleCells(scale: ValueMap, now: Date): readonly Value[] {
  return [nameCell(scale), numberAt(scale, 'spec', 'replicas'), numberAt(scale, 'status', 'replicas'), ageOf(scale, now)];
}
