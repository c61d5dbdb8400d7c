// The red-black trees of std::map and std::set: finding the next node, inserting, removing. The header of a tree has
// the root as parent, the first node to the left and the last one to the right; it is red, the root is black.
#include <bits/stl_tree.h>

namespace {

using Node = std::_Rb_tree_node_base;

bool is_red(const Node* node) { return node != nullptr && node->_M_color == std::_S_red; }
Node*& child(Node* node, bool left) { return left ? node->_M_left : node->_M_right; }

Node* outermost(Node* node, bool left) {
  while (child(node, left) != nullptr) node = child(node, left);
  return node;
}

// What hangs at `old` hangs at `node` instead.
void replace_child(Node* old, Node* node, Node*& root) {
  if (root == old) {
    root = node;
  } else if (old->_M_parent->_M_left == old) {
    old->_M_parent->_M_left = node;
  } else {
    old->_M_parent->_M_right = node;
  }
}

// `node` goes down to the given side, its other child takes its place.
void rotate(Node* node, bool to_left, Node*& root) {
  Node* up = child(node, !to_left);
  child(node, !to_left) = child(up, to_left);
  if (child(up, to_left) != nullptr) child(up, to_left)->_M_parent = node;
  replace_child(node, up, root);
  up->_M_parent = node->_M_parent;
  child(up, to_left) = node;
  node->_M_parent = up;
}

// The nearest node to the given side, in the order of keys. From the last node this leads to the header.
Node* neighbour(Node* node, bool left) {
  if (child(node, left) != nullptr) return outermost(child(node, left), !left);
  Node* up = node->_M_parent;
  while (node == child(up, left)) {
    node = up;
    up = up->_M_parent;
  }
  // At the root of a tree whose header is above and below.
  return child(node, left) != up ? up : node;
}

Node* previous(Node* node) {
  const bool header = is_red(node) && node->_M_parent != nullptr && node->_M_parent->_M_parent == node;
  return header ? node->_M_right : neighbour(node, true);
}

// A path through `node` (which may be null) has a black node too few.
void add_black(Node* node, Node* parent, Node*& root) {
  while (node != root && !is_red(node)) {
    const bool left = node == parent->_M_left;
    Node* sibling = child(parent, !left);
    if (is_red(sibling)) {
      sibling->_M_color = std::_S_black;
      parent->_M_color = std::_S_red;
      rotate(parent, left, root);
      sibling = child(parent, !left);
    }
    if (!is_red(sibling->_M_left) && !is_red(sibling->_M_right)) {
      sibling->_M_color = std::_S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (!is_red(child(sibling, !left))) {
      child(sibling, left)->_M_color = std::_S_black;
      sibling->_M_color = std::_S_red;
      rotate(sibling, !left, root);
      sibling = child(parent, !left);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = std::_S_black;
    child(sibling, !left)->_M_color = std::_S_black;
    rotate(parent, left, root);
    break;
  }
  if (node != nullptr) node->_M_color = std::_S_black;
}

}  // namespace

namespace std {

Node* _Rb_tree_increment(Node* node) throw() { return neighbour(node, false); }
const Node* _Rb_tree_increment(const Node* node) throw() { return neighbour(const_cast<Node*>(node), false); }
Node* _Rb_tree_decrement(Node* node) throw() { return previous(node); }
const Node* _Rb_tree_decrement(const Node* node) throw() { return previous(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* node, Node* parent, Node& header) throw() {
  Node*& root = header._M_parent;
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (parent == &header) {
    root = header._M_left = header._M_right = node;
  } else {
    child(parent, left) = node;
    if (left && parent == header._M_left) header._M_left = node;
    if (!left && parent == header._M_right) header._M_right = node;
  }
  while (node != root && is_red(node->_M_parent)) {
    Node* up = node->_M_parent;
    Node* top = up->_M_parent;
    const bool up_is_left = up == top->_M_left;
    Node* uncle = child(top, !up_is_left);
    if (is_red(uncle)) {
      up->_M_color = uncle->_M_color = _S_black;
      top->_M_color = _S_red;
      node = top;
      continue;
    }
    if (node == child(up, !up_is_left)) {
      rotate(up, up_is_left, root);
      up = node;
    }
    up->_M_color = _S_black;
    top->_M_color = _S_red;
    rotate(top, !up_is_left, root);
    break;
  }
  root->_M_color = _S_black;
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) throw() {
  Node*& root = header._M_parent;
  if (header._M_left == node) {
    header._M_left = node->_M_right != nullptr ? outermost(node->_M_right, true) : node->_M_parent;
  }
  if (header._M_right == node) {
    header._M_right = node->_M_left != nullptr ? outermost(node->_M_left, false) : node->_M_parent;
  }
  Node* below = nullptr;   // takes the place of what leaves
  Node* parent = nullptr;  // of it
  bool black_leaves = !is_red(node);
  if (node->_M_left != nullptr && node->_M_right != nullptr) {
    // The next node takes the place and the colour of the one that is removed.
    Node* next = outermost(node->_M_right, true);
    black_leaves = !is_red(next);
    below = next->_M_right;
    if (next->_M_parent == node) {
      parent = next;
    } else {
      parent = next->_M_parent;
      parent->_M_left = below;
      if (below != nullptr) below->_M_parent = parent;
      next->_M_right = node->_M_right;
      next->_M_right->_M_parent = next;
    }
    next->_M_left = node->_M_left;
    next->_M_left->_M_parent = next;
    replace_child(node, next, root);
    next->_M_parent = node->_M_parent;
    next->_M_color = node->_M_color;
  } else {
    below = node->_M_left != nullptr ? node->_M_left : node->_M_right;
    parent = node->_M_parent;
    if (below != nullptr) below->_M_parent = parent;
    replace_child(node, below, root);
  }
  if (black_leaves && root != nullptr) add_black(below, parent, root);
  return node;
}

}  // namespace std
