//! Which types lead to which.

/// For each node of a graph the number of its strongly connected component; the number of a node is
/// never less than that of one it leads to. It is Tarjan's algorithm, without recursion: types can be
/// deep.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    let count = edges.len();
    let (mut order, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let mut component = vec![usize::MAX; count];
    let (mut stack, mut next, mut components) = (Vec::new(), 0, 0);
    for start in 0..count {
        if order[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
            }
            if let Some(&to) = edges[node].get(edge) {
                work.push((node, edge + 1));
                if order[to] == usize::MAX {
                    work.push((to, 0));
                } else if component[to] == usize::MAX {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    component
}
