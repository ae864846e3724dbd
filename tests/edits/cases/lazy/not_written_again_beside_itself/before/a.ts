/**
 * What is drawn.
 */
export type Shapes = Omit<Shape, "area" | "name">;
/**
 * What is drawn twice.
 */
export interface Copies extends Shapes {
    offset?: (id: string) => string;
}
export interface Step {
    points: Point[];
    path: (string | number)[];
}
export interface Drawn {
    /** What it is of */
    shape: Base.Shape;
    /** A copy that does not change any more */
    copy?: Base.Shape;
    id?: string | undefined;
    /** How often it was drawn */
    count: number;
    ref?: Base.Other | null;
}
